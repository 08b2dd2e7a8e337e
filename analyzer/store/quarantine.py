"""The quarantine desk: what was refused or set aside, and taking a mended record in after all."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Final

import msgspec

from analyzer.locale import N_, Message
from analyzer.logs.carriers import as_json
from analyzer.logs.reading import MAX_RECORD, read
from analyzer.logs.refusal import RAW_LIMIT, Fault, Place, Refusal
from analyzer.store.accounting import IngestReport
from analyzer.store.database import Database, DatabaseError
from analyzer.store.ingest import ingest
from analyzer.store.queries import text_of
from analyzer.store.reader import REFUSED, Reader, open_reader

_decoder: Final = msgspec.json.Decoder(float_hook=Decimal)

_LISTED: Final = """
SELECT * EXCLUDE (raw) FROM quarantine
WHERE ($every OR NOT solved)
    AND ($reason IS NULL OR reason = $reason)
    AND ($source IS NULL OR contains(source_path, $source))
"""


_ERRORS: Final = """
SELECT code, certainty, message_vi, message_en FROM violations JOIN hands USING (hand_key)
WHERE hands.club_id = $club AND hands.hand_id = $hand AND violations.severity = 'error'
ORDER BY event NULLS FIRST, number
"""


class NotInQuarantine(DatabaseError):
    """There is no record of this number, or nothing is left to be done about it."""


@dataclass(frozen=True, slots=True)
class Retry:
    """What became of a record that was tried again: ``refusal`` says why it is still refused."""

    refusal: Refusal | None = None
    report: IngestReport | None = None
    hand_id: str = ""
    errors: tuple[dict[str, Any], ...] = ()
    """The errors (code, certainty, message_vi, message_en) of the hand, where it was taken in."""

    @property
    def taken(self) -> bool:
        """Whether the record is in the database now."""
        return self.report is not None and not self.report.conflicting + self.report.quarantined


def listed(
    reader: Reader, *, reason: str | None = None, source: str | None = None, every: bool = False
) -> Iterator[dict[str, Any]]:
    """Refused records without their text, by number; those solved only if ``every`` is set.

    ``reason`` is a reason code, ``source`` a part of the path.
    """
    return reader.stream(_LISTED, {"reason": reason, "source": source, "every": every})


def refused(reader: Reader, number: int) -> dict[str, Any]:
    """Everything about one refused record; ``raw`` is its text. Raises NotInQuarantine."""
    found = reader.rows("FROM quarantine WHERE number = $number", {"number": number})
    if not found:
        raise NotInQuarantine(
            N_("The quarantine has no record {number}. What it has: tienlen quarantine list --all"),
            number=number,
        )
    return found[0]


def conflicts(reader: Reader, *, every: bool = False) -> Iterator[dict[str, Any]]:
    """Hands set aside because they say something else than the stored ones, oldest first.

    ``differences`` is a list, ``next_revision`` the number that a correction needs. One is solved, and
    told only if ``every`` is set, when another revision of the hand was taken in after it.
    """
    for row in reader.stream(text_of("conflicts"), {"every": every}):
        yield {**row, "differences": _decoder.decode(row["differences"])}


def retry(database: Database, number: int, text: bytes | None = None, source: str = "-") -> Retry:
    """Takes a refused record in again: mended, as ``text`` from ``source``, or as it was stored.

    It goes the way of every record, so that it is accounted for and may be a conflict; taken in, it is
    marked as solved in the same version. Raises DatabaseError, NotInQuarantine.
    """
    with open_reader(database) as reader:
        row = refused(reader, number)
    if row["solved"]:
        raise NotInQuarantine(N_("Record {number} was mended and taken in already."), number=number)
    place = Place(source, None, None, 0)
    if text is None:
        text = row["raw"]
        place = Place(row["source_path"], row["source_line"], row["source_index"], row["source_offset"])
        if not 0 < len(text) < RAW_LIMIT:
            raise NotInQuarantine(
                N_("Of record {number} not all is stored: give the whole of it, mended, with --file."),
                number=number,
            )
    try:
        if len(text) > MAX_RECORD:
            expected = Message(N_("at most {n} bytes in one hand"), n=MAX_RECORD)
            raise Fault("record_too_large", "", f"{len(text)} B", expected)
        log = as_json(place.source, text, place.line)
        hand, _, _ = read(log)
    except Fault as fault:
        return Retry(Refusal.of(place, fault, text))
    # Standard input is read by lines; outside of strings, where none can be, line breaks mean nothing.
    line = log.replace(b"\n", b" ").replace(b"\r", b" ")
    mended = {name: row[name] for name in REFUSED}
    mended |= {"club_id": hand.club_id, "hand_id": hand.hand_id, "revision": hand.revision_number}
    done = Retry(None, ingest(["-"], database, stdin=io.BytesIO(line), mends=mended), hand.hand_id)
    if not done.taken:
        return done
    with open_reader(database) as reader:
        identity = {"club": hand.club_id, "hand": hand.hand_id}
        return replace(done, errors=tuple(reader.rows(_ERRORS, identity)))
