"""Spoilt logs through the reader, the judge and the account.

A hand is refused with a Fault, or it is judged: nothing else may be raised, the two ways of reading and
the two ways of replaying must agree, and no hand may take a second of the processor.
"""

from __future__ import annotations

import signal
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from analyzer.judge.judging import Judgement, judge
from analyzer.judge.verdict import make_verdict, verdict_json
from analyzer.locale import LANGUAGES
from analyzer.logs.carriers import Read, records
from analyzer.logs.reading import read
from analyzer.logs.refusal import REASONS, Refusal
from analyzer.reports.account import make_account
from analyzer.reports.text import render
from analyzer.reports.view import view_of
from analyzer.rules.house import house_of
from analyzer.rules.ruleset import RuleSet
from tests.fuzzing.mutants import Mutant, mutant

SLOW = 1.0
"""Seconds of the processor that reading and judging one hand may take."""

HANGS = 30.0
"""Seconds of the processor after which an input counts as one that never ends."""


class TakesForever(BaseException):
    """Raised inside an input that has used up its time; nothing may catch it."""


@dataclass
class Report:
    """What became of the inputs: counts, the slowest hand, and the numbers of those that failed."""

    inputs: int = 0
    hands: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    slowest: tuple[float, int] = (0.0, -1)
    failures: dict[int, str] = field(default_factory=dict)

    def lines(self) -> Iterator[str]:
        """The report in words."""
        yield f"{self.inputs} inputs: {self.hands} hands judged, {self.refused.total()} records refused"
        for reason, count in self.refused.most_common():
            yield f"  {count:8} {reason}"
        seconds, number = self.slowest
        yield f"slowest hand: {seconds * 1000:.0f} ms of the processor, in input {number}"
        yield f"failures: {len(self.failures)}"


def examine(source: Mutant, folder: Path) -> Iterator[tuple[float, Refusal | None]]:
    """Each record of a source: the seconds it took, and its refusal where it was refused.

    Raises whatever goes wrong.
    """
    path = folder / f"mutant{source.suffix}"
    path.write_bytes(source.data)
    began = time.process_time()
    for record in records(str(path)):
        if isinstance(record, Refusal):
            took = time.process_time() - began
            _told(record)
            yield took, record
        else:
            judgement = judge(record.hand, house_of(record.rules))
            verdict = _verdict(judgement, record.rules)
            took = time.process_time() - began
            _checked(record, judgement, verdict)
            yield took, None
        began = time.process_time()


def _told(refusal: Refusal) -> None:
    assert refusal.reason in REASONS
    for lang in LANGUAGES:
        assert refusal.message().render(lang)


def _verdict(judgement: Judgement, rules: RuleSet) -> bytes:
    return verdict_json(make_verdict(judgement, rules, ""))


def _checked(record: Read, judgement: Judgement, verdict: bytes) -> None:
    """What holds for every hand that was read."""
    hand, rules = record.hand, record.rules
    traced = judge(hand, house_of(rules), [])
    assert _verdict(traced, rules) == verdict, "the replay with a trace comes to another verdict"
    assert traced.replay.tricks == judgement.replay.tricks
    net = [0] * len(hand.players)
    for transfer in judgement.settlement.transfers:
        assert transfer.amount > 0
        if transfer.from_ is not None:
            net[transfer.from_] -= transfer.amount
        if transfer.to is not None:
            net[transfer.to] += transfer.amount
    assert net == judgement.settlement.net
    if judgement.places is not None:
        assert sorted(judgement.places) == list(range(len(hand.players)))
    assert read(record.canonical)[2] == record.canonical, "the canonical form is not its own canonical form"
    slowly = record.raw.replace(b"{", b'{"_":"\\\\",', 1)
    assert read(slowly)[2] == record.canonical, "the slow way reads another hand"
    account = make_account(hand, rules)
    view_of(account)
    for lang in LANGUAGES:
        assert render(account, lang)


def run(seed: int, numbers: Iterable[int], folder: Path, slow: float = HANGS) -> Report:
    """Examines these inputs; the files and tracebacks of failures are kept in the folder.

    A hand that takes more than ``slow`` seconds of the processor is a failure too.
    """
    report = Report()
    with tempfile.TemporaryDirectory() as scratch:
        for number in numbers:
            source = mutant(seed, number)
            report.inputs += 1
            try:
                with _limited(HANGS):
                    for took, refusal in examine(source, Path(scratch)):
                        if refusal is not None:
                            report.refused[refusal.reason] += 1
                        else:
                            report.hands += 1
                        report.slowest = max(report.slowest, (took, number))
                        if took > slow:
                            _keep(report, folder, seed, number, source, f"took {took:.2f} s of the processor")
            except (Exception, TakesForever):
                _keep(report, folder, seed, number, source, traceback.format_exc())
    return report


def _keep(report: Report, folder: Path, seed: int, number: int, source: Mutant, what: str) -> None:
    report.failures[number] = what
    folder.mkdir(parents=True, exist_ok=True)
    name = folder / f"{seed}-{number}"
    name.with_suffix(source.suffix).write_bytes(source.data)
    name.with_suffix(".txt").write_text(what, "utf-8", "replace")


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Raises TakesForever after so many seconds of the processor (a pause of the machine is none)."""

    def stop(*_: object) -> None:
        raise TakesForever

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
