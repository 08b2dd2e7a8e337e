"""What became of every record read: five words, whose counts add up to the records, always."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal

from analyzer.locale import N_, Message

Word = Literal["accepted", "unchanged", "superseded", "conflicting", "quarantined"]
WORDS: Final[tuple[Word, ...]] = ("accepted", "unchanged", "superseded", "conflicting", "quarantined")

TOLD: Final = 100
"""At most so many refusals and so many conflicts are told in a report; the relations ``quarantine``
and ``conflicts`` have all of them."""


@dataclass(slots=True)
class Counts:
    """How many records became what."""

    accepted: int = 0
    """New hands."""
    unchanged: int = 0
    """Known already, with the same content."""
    superseded: int = 0
    """Another revision of a known hand, in force now or not."""
    conflicting: int = 0
    """The identity and revision of a known hand, with other content."""
    quarantined: int = 0
    """Refused."""

    def count(self, word: Word, number: int = 1) -> None:
        """More records of one kind."""
        setattr(self, word, getattr(self, word) + number)

    @property
    def records(self) -> int:
        """Records read."""
        return self.accepted + self.unchanged + self.superseded + self.conflicting + self.quarantined

    def values(self) -> tuple[int, int, int, int, int]:
        """The five counts in their usual order."""
        return self.accepted, self.unchanged, self.superseded, self.conflicting, self.quarantined


@dataclass(slots=True)
class SourceReport(Counts):
    """One source and what became of its records."""

    path: str = ""
    sha256: str | None = None
    """SHA-256 (hex) of the file's bytes; None where it could not be read."""
    read_at: datetime | None = None


@dataclass(slots=True)
class IngestProgress:
    """How far an ingest has come, told after each batch.

    Bytes are those of the files as they lie on disk; where standard input ends is not known, and
    ``bytes_total`` then is None.
    """

    source: str
    bytes_read: int
    bytes_total: int | None
    counts: Counts

    @property
    def read(self) -> int:
        """Records read so far."""
        return self.counts.records


@dataclass(slots=True)
class IngestReport(Counts):
    """The account of a whole ingest."""

    version: str = ""
    """The database version it made."""
    sources: list[SourceReport] = field(default_factory=list)
    refusals: list[Message] = field(default_factory=list)
    """The first refusals, told in full; ``quarantined`` counts them all."""
    conflicts: list[Message] = field(default_factory=list)
    """The first conflicts, told in full; ``conflicting`` counts them all."""

    def line(self, lang: str) -> str:
        """The account in one line."""
        text = N_(
            "{records} records read = {accepted} accepted + {unchanged} unchanged + {superseded} superseded "
            "+ {conflicting} conflicting + {quarantined} quarantined"
        )
        counts = dict(zip(WORDS, self.values(), strict=True))
        return Message(text, records=self.records, **counts).render(lang)
