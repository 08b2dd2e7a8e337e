"""Corrections: the revisions of a hand, what one of them changes around the hand, and taking one in.

A correction goes the way of every record; the earlier revisions stay readable.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import msgspec

from analyzer.judge.between import SessionFinding, session_hand
from analyzer.judge.judging import Judgement
from analyzer.locale import N_
from analyzer.logs.hand import Hand
from analyzer.logs.notation import plain_log
from analyzer.logs.notation.reading import encoded
from analyzer.logs.reading import MAX_RECORD, read
from analyzer.rules.ruleset import RuleSet
from analyzer.store import queries
from analyzer.store.accounting import IngestReport
from analyzer.store.database import Database, DatabaseError
from analyzer.store.ingest import ingest
from analyzer.store.reader import Reader
from analyzer.store.rows import evening_of, moment
from analyzer.store.sessions import Placed, findings_with

_REVISIONS: Final = """
SELECT
    hand_key, club_id, hand_id, revision, content_sha256, rules_sha256, evening,
    revised_by, revised_at, revision_reason, ingested_at, source_path, in_force, log
FROM revisions
WHERE club_id = $club AND hand_id = $hand
ORDER BY revision
"""


class NotRevised(DatabaseError):
    """A correction that cannot be one; ``message`` says why and what to do."""


@dataclass(frozen=True, slots=True)
class Version:
    """One revision of a hand, stored or about to be, with what orders it among other hands."""

    hand: Hand
    rules: RuleSet
    judgement: Judgement
    evening: str
    hand_key: int | None
    """None where it is not stored yet: it will have a higher one than all that are."""

    def placed(self, called: Callable[[str], str] = str) -> Placed:
        """Its place among the hands of its evening; ``called`` tells by which name a player is told."""
        return Placed(session_hand(self.judgement, self.rules, called), moment(self.hand.played_at))


def revisions_of(reader: Reader, club: str, hand_id: str) -> list[dict[str, Any]]:
    """Every stored revision of a hand, the first one first: who made it, when and why, and its log."""
    return reader.rows(_REVISIONS, {"club": club, "hand": hand_id})


# -- what one changes around the hand --------------------------------------------------------------


def evening_changes(
    reader: Reader, one: Version, other: Version, called: Callable[[str], str] = str
) -> tuple[list[SessionFinding], list[SessionFinding]]:
    """What is found between the hands of the evening with ``one`` and not with ``other``, and what only with
    ``other``: a later hand now states a wrong lead, or states it rightly. ``called`` as in
    :func:`~analyzer.store.sessions.evening_findings`.
    """
    club, hand_id = one.hand.identity
    gone: list[SessionFinding] = []
    new: list[SessionFinding] = []
    for evening in dict.fromkeys((one.evening, other.evening)):
        before, after = (
            findings_with(
                reader,
                club,
                evening,
                hand_id,
                each.placed(called) if each.evening == evening else None,
                called,
            )
            for each in (one, other)
        )
        known, now = ({_told(finding) for finding in found} for found in (before, after))
        gone += [finding for finding in before if _told(finding) not in now]
        new += [finding for finding in after if _told(finding) not in known]
    return gone, new


def _told(finding: SessionFinding) -> tuple[str, str, str]:
    return finding.code, finding.hand.hand_id, finding.message.render("en")


def placings(
    reader: Reader,
    version: Version,
    aliases: Sequence[Mapping[str, str]],
    persons: Mapping[tuple[str, str], str],
    limit: int,
) -> list[list[str]]:
    """The persons of a club's latest hands, first to last, in the order of play, as they would be if the
    hand were this version of it. ``aliases`` and ``persons`` as :mod:`~analyzer.store.people` gives them.
    """
    club, hand_id = version.hand.identity
    own = {row["hand_key"] for row in revisions_of(reader, club, hand_id)}
    rows = queries.run(reader, "placings", club=club, aliases=list(aliases), limit=limit).to_dicts()
    rows = [row for row in rows if row["hand_key"] not in own]
    places = version.judgement.places
    if places is not None and len(places) == len(version.hand.players):
        ids = [version.hand.players[seat].id for seat in places]
        rows.append(
            {
                "hand_key": version.hand_key if version.hand_key is not None else 2**63,
                "played_at": moment(version.hand.played_at),
                "evening": version.evening,
                "hand_no": version.hand.hand_no,
                "persons": [persons.get((club, id_), id_) for id_ in ids],
            }
        )
    return [row["persons"] for row in sorted(rows, key=_order)][-limit:]


def _order(row: Mapping[str, Any]) -> tuple[object, ...]:
    """As placings.sql orders its rows."""
    at: datetime | None = row["played_at"]
    number = row["hand_no"]
    return (
        at is not None,
        at.timestamp() if at is not None else 0,
        row["evening"],
        number is None,
        number or 0,
        row["hand_key"],
    )


# -- taking one in ---------------------------------------------------------------------------------


def corrected(text: bytes, stored: Sequence[Mapping[str, Any]], by: str, reason: str, at: datetime) -> bytes:
    """A corrected log as the next revision of a stored hand: who made it, when and why stand in it.

    ``text`` is one hand as JSON; what it says of its own revision is replaced. Raises Fault where it is no
    hand, NotRevised where it is another hand, or says what is in force already.
    """
    if len(text) > MAX_RECORD:
        raise NotRevised(N_("A hand has at most {n} bytes."), n=MAX_RECORD)
    hand, _, _ = read(text)
    row = stored[-1]
    if hand.identity != (row["club_id"], row["hand_id"]):
        raise NotRevised(
            N_("This is hand {found} of club {club}; expected {hand} of club {own}."),
            found=repr(hand.hand_id),
            club=repr(hand.club_id),
            hand=repr(row["hand_id"]),
            own=repr(row["club_id"]),
        )
    in_force = next(row for row in stored if row["in_force"])
    if _content(hand) == _content(read(in_force["log"].encode())[0]):
        raise NotRevised(
            N_("This says what revision {n} says, which is in force: there is nothing to correct."),
            n=in_force["revision"],
        )
    told = plain_log(text)
    number = max(row["revision"] for row in stored) + 1
    told["revision"] = {"number": number, "by": by, "at": at.isoformat(timespec="seconds"), "reason": reason}
    record = encoded(told)
    read(record)
    return record


def take_in(database: Database, record: bytes) -> IngestReport:
    """Takes a corrected record in, as every record is. Raises DatabaseError."""
    return ingest(["-"], database, stdin=io.BytesIO(record))


def _content(hand: Hand) -> Hand:
    return msgspec.structs.replace(hand, revision=None)


def version_of(
    hand: Hand, rules: RuleSet, judgement: Judgement, row: Mapping[str, Any] | None = None
) -> Version:
    """A judged revision; ``row`` is its row of :func:`revisions_of` where it is stored."""
    if row is None:
        return Version(hand, rules, judgement, evening_of(hand, "-"), None)
    return Version(hand, rules, judgement, row["evening"], row["hand_key"])
