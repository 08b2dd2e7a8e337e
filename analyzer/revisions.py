"""Revisions of a stored hand, judged and compared: for the command line and the pages alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

from analyzer.judge.rulings import Case
from analyzer.locale import N_, Message
from analyzer.logs.notation import fault_of, read_chunk
from analyzer.logs.reading import read
from analyzer.logs.refusal import Fault, Place, Refusal
from analyzer.reports.account import Account, make_account
from analyzer.reports.paper import moment_text
from analyzer.reports.rating import RATED, rate
from analyzer.reports.revisions import Section, evening_section, rating_section, sections_of
from analyzer.store import queries
from analyzer.store.people import relation
from analyzer.store.reader import Reader
from analyzer.store.revising import (
    Version,
    corrected,
    evening_changes,
    placings,
    revisions_of,
    version_of,
)
from analyzer.store.stored import parsed
from analyzer.store.treasury import Books

BOM: Final = b"\xef\xbb\xbf"


class Judged(NamedTuple):
    """A revision and its account."""

    version: Version
    account: Account


class Correction(NamedTuple):
    """A mended log as the next revision of a stored hand; ``record`` takes it in."""

    record: bytes
    before: Judged
    """The revision in force."""
    after: Judged
    replaces: int
    """The number of the revision in force."""
    number: int
    made_from: int | None
    """The revision that it names as its own; None where it names none."""
    since: Sequence[Mapping[str, Any]]
    """The stored revisions that came after the one it was made from: it may undo what they corrected."""


class NotRead(Exception):
    """A mended log that cannot be read; ``problems`` say why, in the order of the text."""

    def __init__(self, *problems: Message) -> None:
        super().__init__("\n".join(problem.render("en") for problem in problems))
        self.problems = problems


def correction(
    reader: Reader,
    hand: Mapping[str, Any],
    text: bytes,
    source: str,
    by: str,
    reason: str,
    *,
    from_file: bool = True,
) -> Correction:
    """What a mended log, JSON or notation, makes of a stored hand (a row with ``club_id`` and ``hand_id``).

    ``source`` is what the text is called where it is refused. One that names no revision was made from the
    first, which has no number, where it comes ``from_file``, else from that in force. Raises NotRead where
    it is no log, NotRevised where it is no correction of this hand.
    """
    text = text.removeprefix(BOM)
    rows = revisions_of(reader, hand["club_id"], hand["hand_id"])
    try:
        log = _as_log(text)
        record = corrected(log, rows, by, reason, datetime.now(UTC))
        own = read(log)[0].revision
        told, rules, _ = read(record)
    except Fault as fault:
        raise NotRead(*Refusal.of(Place(source, None, None, 0), fault, text).messages()) from None
    account = make_account(told, rules)
    in_force = next(row for row in rows if row["in_force"])
    after = Judged(version_of(told, rules, account.judgement), account)
    number = max(row["revision"] for row in rows) + 1
    made_from = own.number if own is not None else 1 if from_file else in_force["revision"]
    before = stored_version(reader, in_force)
    named = own.number if own is not None else None
    since = [row for row in rows if row["revision"] > made_from]
    return Correction(record, before, after, in_force["revision"], number, named, since)


def undoes(made: Correction, zone: str = "UTC") -> list[Message]:
    """That a log was made from an earlier revision than that in force, and what was corrected since; nothing
    where it was not. Times are on the clock of an IANA time zone.
    """
    if not made.since:
        return []
    text = N_(
        "This log was made from revision {one}, but revision {other} is in force. It would undo what was "
        "corrected since, unless it has that too:"
    )
    if made.made_from is None:
        text = N_(
            "This log names no revision, as the first one, but revision {other} is in force. It would undo "
            "what was corrected since, unless it has that too:"
        )
    told = Message(text, one=made.made_from, other=made.replaces)
    return [told, *(revision_line(row, zone) for row in made.since)]


def closed_evenings(kept: Books, *versions: Version) -> list[Message]:
    """That an evening is closed in which revisions of a hand stand; ``kept`` is what was decided of money."""
    told = []
    for evening in dict.fromkeys(version.evening for version in versions):
        club = versions[0].hand.club_id
        if (found := kept.closings.get((club, evening))) is not None:
            text = N_(
                "The evening {evening} was closed on {at} by {by}. Its sums stay as they were closed, "
                "whatever is corrected, until it is opened again."
            )
            day = At(kept.local(club, found[0].at))
            told.append(Message(text, evening=evening.split(" ", 1)[-1], at=day, by=found[0].by))
    return told


def _as_log(text: bytes) -> bytes:
    """A mended log as JSON; whether it is one is for the reader of logs to say. Raises Fault."""
    if text.lstrip()[:1] in (b"{", b"[", b""):
        return text
    reading = read_chunk(1, 0, text, len(text))
    if reading.raw is None:
        raise fault_of(reading.problems)
    return reading.raw


def stored_version(reader: Reader, row: Mapping[str, Any]) -> Judged:
    """A stored revision (a row of revisions_of), judged under the rules that it was stored with."""
    hand, rules = parsed(reader, row["log"], row["rules_sha256"])
    account = make_account(hand, rules)
    return Judged(version_of(hand, rules, account.judgement, row), account)


def compared(
    reader: Reader, one: Judged, other: Judged, persons: Mapping[tuple[str, str], str], case: Case
) -> list[Section]:
    """What differs between two revisions, and what that changes: in the hand, in what was ruled on it, in its
    evening, in ratings. ``persons`` is who is who, ``case`` what was decided about the hand.
    """
    names = _names(reader, other.version, persons)
    club = other.version.hand.club_id

    def called(player: str) -> str:
        person = persons.get((club, player), player)
        return names.get(person, person)

    return [
        *sections_of(one.account, other.account, case),
        evening_section(*evening_changes(reader, one.version, other.version, called)),
        _ratings(reader, one.version, other.version, persons, names),
    ]


def _names(reader: Reader, version: Version, persons: Mapping[tuple[str, str], str]) -> dict[str, str]:
    """What the persons of the hand's club are called, those new in it too; namesakes with their id."""
    hand = version.hand
    names = {player.id: player.name or player.id for player in hand.players}
    known = queries.run(reader, "persons", club=hand.club_id, aliases=relation(persons))
    names |= {row["person_id"]: row["name"] for row in known.to_dicts()}
    often = Counter(names.values())
    return {person: name if often[name] == 1 else f"{name} ({person})" for person, name in names.items()}


def _ratings(
    reader: Reader,
    one: Version,
    other: Version,
    persons: Mapping[tuple[str, str], str],
    names: Mapping[str, str],
) -> Section:
    who = relation(persons)
    rated = [rate(placings(reader, each, who, persons, RATED)) for each in (one, other)]
    return rating_section(rated[0], rated[1], names)


def revision_line(row: Mapping[str, Any], zone: str = "UTC") -> Message:
    """A revision: its number, who made it, when (on the clock of an IANA time zone) and why."""
    at = (row["revised_at"] or row["ingested_at"]).astimezone(ZoneInfo(zone))
    told = Message(
        N_("Revision {n} · {by} · {at} · {reason}"),
        n=row["revision"],
        by=row["revised_by"] or "—",
        at=At(at),
        reason=row["revision_reason"] or "—",
    )
    return Message(N_("{revision} · in force"), revision=told) if row["in_force"] else told


class At(Message):
    """An instant in the text of a message: written as the reader's language does."""

    __slots__ = ("at",)

    def __init__(self, at: datetime) -> None:
        super().__init__("")
        self.at = at

    def render(self, lang: str) -> str:
        """The day, the time, and the offset of the clock that shows it."""
        return moment_text(self.at, lang)
