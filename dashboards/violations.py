"""What the page of violations asks the database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

import polars as pl
import streamlit as st

from analyzer.store import queries
from analyzer.store.people import relation
from dashboards.data import EVERY_HAND, Filters, Row, Version, people
from dashboards.people import Known, known
from dashboards.soft_play import compare_pairs, together

PAGE: Final = 25
"""Hands on one page of the queue."""

BATCH: Final = 50_000
"""Hands whose turns are counted in one go: some 0.5 s of one core."""

FORFEIT: Final = "forfeit"
"""The code under which forfeits stand among the violations."""

FAULTS: Final = ("error", "warning")
"""Severities of what somebody did wrong."""


@dataclass(frozen=True, slots=True)
class Narrowed:
    """What the flags are narrowed to: some hands' (the player of ``filters`` is who is at fault)."""

    filters: Filters = EVERY_HAND
    code: str | None = None
    certainty: str | None = None
    severities: tuple[str, ...] | None = FAULTS

    def parameters(self, who: Known) -> Row:
        """The parameters of the query ``flags``."""
        player = self.filters.player
        return {
            "code": self.code,
            "ids": who.ids(*player) if player else None,
            "filters": self.filters.where(who),
            "certainty": self.certainty,
            "severities": list(self.severities) if self.severities else None,
        }


@dataclass(frozen=True, slots=True)
class Flagged:
    """A hand with those of its flags that pass the filters, in the order of events."""

    hand: Row
    flags: list[Row]


@dataclass(frozen=True, slots=True)
class Queue:
    """One page of flagged hands, with the numbers of all hands and flags that pass the filters."""

    hands: int
    flags: int
    shown: list[Flagged]


def queue(version: Version, narrowed: Narrowed, page: int = 0) -> Queue:
    """The flagged hands, the latest first."""
    rows = version.rows(
        f"""
        WITH flags AS ({queries.text_of("flags")}),
        found AS (SELECT hand_key, played_at FROM hands WHERE hand_key IN (SELECT hand_key FROM flags)),
        page AS (
            FROM found ORDER BY played_at DESC NULLS LAST, hand_key DESC
            LIMIT {PAGE} OFFSET {PAGE * page}
        )
        SELECT
            flags.*, hands.club_id, hands.hand_id, hand_no, session_id, table_id, evening, played_on,
            player_id, coalesce(nullif(name, ''), player_id) AS name,
            type[event + 1] AS act, cards[event + 1] AS cards,
            (SELECT count(*) FROM found) AS hands_found, (SELECT count(*) FROM flags) AS flags_found
        FROM page
        JOIN hands USING (hand_key)
        JOIN flags USING (hand_key)
        LEFT JOIN seats USING (hand_key, seat)
        LEFT JOIN (SELECT hand_key, type, cards FROM acts WHERE hand_key IN (SELECT hand_key FROM page))
            AS log USING (hand_key)
        ORDER BY page.played_at DESC NULLS LAST, hand_key DESC, event NULLS FIRST, number NULLS LAST
        """,
        **narrowed.parameters(known(version.path)),
    )
    who, names = known(version.path), people(version)
    shown: dict[int, Flagged] = {}
    for row in rows:
        if row["player_id"] is not None:
            person = row["club_id"], who.person(row["club_id"], row["player_id"])
            row = {**row, "name": names.get(person, row["name"])}
        shown.setdefault(row["hand_key"], Flagged(row, [])).flags.append(row)
    first = rows[0] if rows else {"hands_found": 0, "flags_found": 0}
    return Queue(first["hands_found"], first["flags_found"], list(shown.values()))


def counts(version: Version) -> dict[str, int]:
    """Code → in how many hands it stands, the most frequent first."""
    rows = version.rows(
        f"SELECT code, count(DISTINCT hand_key) AS hands FROM ({queries.text_of('flags')}) "
        "GROUP BY code ORDER BY hands DESC, code",
        **Narrowed(severities=None).parameters(known(version.path)),
    )
    return {row["code"]: row["hands"] for row in rows}


def over_time(version: Version, narrowed: Narrowed, unit: str) -> list[Row]:
    """By week or month (``unit``): its first day ``since``, the ``hands`` of it and those ``flagged``.

    The last row is of hands without a date, where there are any: its ``since`` is None. Where a player is
    chosen, hands are those the player sat in.
    """
    return version.rows(
        f"""
        WITH flags AS ({queries.text_of("flags")})
        SELECT
            date_trunc($unit, played_on)::DATE AS since,
            count(*) AS hands,
            count(flagged) AS flagged
        FROM hands_where($filters)
        LEFT JOIN (SELECT DISTINCT hand_key, true AS flagged FROM flags) AS marked USING (hand_key)
        GROUP BY since ORDER BY since NULLS LAST
        """,
        unit=unit,
        **narrowed.parameters(known(version.path)),
    )


def hands_stored(version: Version) -> int:
    """How many hands are in force."""
    (row,) = version.rows("SELECT count(*) AS hands FROM hands")
    hands: int = row["hands"]
    return hands


def soft_play(version: Version, filters: Filters, progress: Callable[[float], object]) -> pl.DataFrame:
    """Every pair compared (see :func:`compare_pairs`) in the hands that pass the filters, where a player says
    nothing: that is whom the pairs are shown of. ``progress`` is told the share done.
    """
    kept, who = _kept(version.path, version.name), known(version.path)
    asked = {"filters": replace(filters, player=None).where(who), "aliases": relation(who.persons)}
    if (key := repr(asked)) not in kept:
        (row,) = version.rows("SELECT coalesce(max(hand_key), -1) AS last FROM hands")
        kept[key] = compare_pairs(together(_turns(version, row["last"], asked, progress)))
    return kept[key]


def _turns(
    version: Version, last: int, asked: Row, progress: Callable[[float], object]
) -> Iterator[pl.DataFrame]:
    for first in range(0, last + 1, BATCH):
        progress(first / (last + 1))
        yield version.ask_apart("turns", first=first, last=first + BATCH - 1, **asked)


@st.cache_resource(max_entries=3, show_spinner=False)
def _kept(path: str, name: str) -> dict[str, pl.DataFrame]:
    """What was worked out once for a version, and is not to be worked out again."""
    return {}
