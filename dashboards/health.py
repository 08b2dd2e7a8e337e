"""What the page of data health asks the database and its folder."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

import msgspec
import polars as pl
import streamlit as st

from analyzer.store import queries
from analyzer.store.database import Database, DatabaseError
from dashboards.data import Row, Version

SHOWN: Final = 20
"""Rows of each kind that a page shows."""

BATCH: Final = 50_000
"""Hands whose logs are looked into in one go: some 0.3 s of one core."""

CUT: Final = 2_000
"""Characters of a record that are shown."""

COUNTS: Final = ("accepted", "unchanged", "superseded", "conflicting", "quarantined")
"""What becomes of a record: these add up to the records read."""

MANY: Final = 50
"""Segments from which on they are worth merging: each costs opening and planning a little."""

FIELD: Final = 200
"""Characters of one field that are shown."""

_decoder: Final = msgspec.json.Decoder(float_hook=Decimal)
_encoder: Final = msgspec.json.Encoder(decimal_format="number")
_HIDDEN: Final = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}


def visible(text: str) -> str:
    """A text with every character that shows nothing, or turns the direction of writing, told by its number.

    Lines stay lines.
    """
    return "".join(
        f"\\u{ord(sign):04x}" if sign != "\n" and unicodedata.category(sign) in _HIDDEN else sign
        for sign in text.replace("\r\n", "\n")
    )


def excerpt(raw: bytes | str) -> tuple[str, bool]:
    """The beginning of a record, made visible, and whether it was cut. Bytes need not be UTF-8."""
    text = raw.decode("utf-8", "backslashreplace") if isinstance(raw, bytes) else raw
    return visible(text[:CUT]), len(text) > CUT


def shown(value: Any) -> str:
    """A value of a log as it stood there, on one line, made visible and cut."""
    text = visible(_encoder.encode(value).decode())
    return text if len(text) <= FIELD else text[:FIELD] + " …"


def totals(version: Version) -> Row:
    """The last reading of every source in sum: ``sources``, ``records`` and the five counts."""
    sums = ", ".join(f"coalesce(sum({name}), 0)::BIGINT AS {name}" for name in ("records", *COUNTS))
    (row,) = version.rows(f"SELECT count(*) AS sources, {sums} FROM sources")
    return row


def sources(version: Version) -> list[Row]:
    """The sources read last, the latest first."""
    return version.rows(f"FROM sources ORDER BY last_read_at DESC, path LIMIT {SHOWN}")


def quarantine(version: Version) -> tuple[int, list[Row]]:
    """How many records were refused and not mended since, and the latest of them."""
    (row,) = version.rows("SELECT count(*) AS n FROM quarantine WHERE NOT solved")
    return row["n"], version.rows(
        "FROM quarantine WHERE NOT solved "
        f"ORDER BY quarantined_at DESC, source_path, source_offset LIMIT {SHOWN}"
    )


def conflicts(version: Version) -> tuple[int, list[Row]]:
    """How many records stand aside, and the latest: those that ``tienlen quarantine conflicts`` tells."""
    open_ = version.rows(
        f"SELECT *, count(*) OVER () AS total FROM ({queries.text_of('conflicts')}) "
        f"ORDER BY found_at DESC, club_id, hand_id LIMIT {SHOWN}",
        every=False,
    )
    found = [{**entry, "differences": _decoder.decode(entry["differences"])} for entry in open_]
    return found[0]["total"] if found else 0, found


def gaps(version: Version) -> tuple[int, list[Row]]:
    """How many evenings lack hands by their numbers, and the latest of them."""
    found = version.ask("missing_numbers", limit=SHOWN)
    return found[0]["total"] if found else 0, found


def outcomes(version: Version) -> Row:
    """How many ``hands`` are in force, how many of them ``unfinished``, ``undated`` and ``unnumbered``."""
    (row,) = version.rows(
        "SELECT count(*) AS hands, count(*) FILTER (outcome = 'unfinished') AS unfinished, "
        "count(*) FILTER (played_at IS NULL) AS undated, count(*) FILTER (hand_no IS NULL) AS unnumbered, "
        "coalesce(max(hand_key), -1) AS last FROM hands"
    )
    return row


@dataclass(frozen=True, slots=True)
class Unknown:
    """Hands of whose deal the logs do not tell everything."""

    without_deal: int
    in_part: int
    latest: list[Row]


def unknown_cards(version: Version, progress: Callable[[float], object]) -> Unknown:
    """Looks into the log of every hand; ``progress`` is told the share done."""
    kept = _kept(version.path, version.name)
    if "unknown" not in kept:
        last = outcomes(version)["last"]
        found = pl.DataFrame(schema={"hand_key": pl.Int64, "nothing_known": pl.Boolean})
        for first in range(0, last + 1, BATCH):
            progress(first / (last + 1))
            found.extend(version.ask_apart("unknown_cards", first=first, last=first + BATCH - 1))
        without = int(found["nothing_known"].sum())
        latest = version.rows(
            """
            SELECT hand_key, club_id, hand_id, hand_no, evening, played_on FROM hands
            WHERE hand_key IN (SELECT unnest($keys)) ORDER BY played_at DESC NULLS LAST, hand_key DESC
            """,
            keys=found["hand_key"].top_k(SHOWN).to_list(),
        )
        kept["unknown"] = Unknown(without, len(found) - without, latest)
    return kept["unknown"]


@st.cache_resource(max_entries=3, show_spinner=False)
def _kept(path: str, name: str) -> dict[str, Unknown]:
    """What was worked out once for a version, and is not to be worked out again."""
    return {}


@dataclass(frozen=True, slots=True)
class Folder:
    """How the database folder stands; sizes are bytes."""

    path: str
    number: int
    written_at: datetime
    program: str
    segments: int
    revisions: int
    size: int
    """Of the segments in force."""
    older_versions: int
    older_size: int
    """Of segments that only older versions use."""


def folder(version: Version) -> Folder | None:
    """The folder of a version; None where a file of it has just gone."""
    database = Database(version.path)
    try:
        manifest = database.manifest(version.name)
        sizes = {path.name: path.stat().st_size for path in (database.path / "segments").glob("*.duckdb")}
        versions = [path for path in (database.path / "manifests").glob("*.json") if path.stem.isdecimal()]
    except (DatabaseError, OSError):
        return None
    current = {segment.name for segment in manifest.segments}
    return Folder(
        version.path,
        manifest.number,
        manifest.written_at,
        manifest.program,
        len(manifest.segments),
        manifest.hands,
        sum(size for name, size in sizes.items() if name in current),
        sum(int(path.stem) < manifest.number for path in versions),
        sum(size for name, size in sizes.items() if name not in current),
    )
