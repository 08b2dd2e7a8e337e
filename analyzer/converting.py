"""The command ``convert``: hands in the text notation to logs, and back."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from analyzer.console import _, example, failed, force_option, lang_option, say
from analyzer.exports import writing
from analyzer.locale import N_, Message

if TYPE_CHECKING:
    from analyzer.logs.carriers import Raw
    from analyzer.logs.refusal import Refusal

EXAMPLE = "tienlen convert sample_logs/tranh-cai/01-ai-cam-3-bich.van -o van.json"


@click.command(
    help=example(
        N_(
            "Turns hands in the text notation (.van, .txt) into logs (JSON), and logs into the notation. "
            "Logs come one a line; a .json file holds one hand, or a list of several."
        ),
        EXAMPLE,
    )
)
@click.argument("file")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help=_(N_("The file to write; standard output if not given.")),
)
@force_option
@lang_option
def convert(file: str, output: Path | None, force: bool, lang: str) -> None:
    from analyzer.logs.carriers import NOTATION, STDIN
    from analyzer.reports.files import write_file

    stdin = _Peeked(sys.stdin.buffer) if file == STDIN else None
    typed = file.endswith(NOTATION) if stdin is None else not stdin.begins_json()
    _check_output(output, typed, lang)
    whole = True
    written: list[bytes] = []
    for record in _converted(file, stdin, typed):
        if not isinstance(record, bytes):
            for message in record.messages():
                say(message, lang)
            whole = False
        elif output is None:
            click.echo((b"" if typed or not written else b"\n") + record, nl=False)
            written = [b""]
        else:
            written.append(record)
    if output is not None and written:
        with writing(output, lang):
            write_file(output, _file(output, written, typed), replace=force)
    sys.exit(0 if whole else 2)


def _check_output(output: Path | None, typed: bool, lang: str) -> None:
    """Ends the command where the name of the file to write promises something else than it would hold."""
    known = (".json", ".ndjson", ".jsonl") if typed else (".van", ".txt")
    if output is not None and output.suffix not in known:
        told = Message(
            N_("{file}: expected a name ending in {known}"), file=str(output), known=", ".join(known)
        )
        raise failed(told, lang)


def _converted(file: str, stdin: _Peeked | None, from_text: bool) -> Iterator[bytes | Refusal]:
    """Each hand in the other form, with a line end at its end, or why not."""
    from analyzer.logs.carriers import raw_records, source_files, to_its_end, typed
    from analyzer.logs.refusal import Refusal

    for source in source_files([file]):
        if isinstance(source, Refusal):
            yield source
            continue
        if from_text and stdin is not None:
            found = to_its_end(source, 0, typed(stdin))  # type: ignore[arg-type]
        else:
            found = raw_records(source, stdin)  # type: ignore[arg-type]
        for raw in found:
            if isinstance(raw, Refusal):
                yield raw
            else:
                yield _log(source, raw) if from_text else _text(source, raw)


def _log(source: str, raw: Raw) -> bytes | Refusal:
    """The log of a hand in the notation, or every problem of its text."""
    from analyzer.logs.carriers import place_of
    from analyzer.logs.notation import fault_of, read_chunk
    from analyzer.logs.refusal import Refusal

    reading = read_chunk(raw.line or 1, raw.offset, raw.text, raw.size)
    if reading.raw is None:
        return Refusal.of(place_of(source, raw), fault_of(reading.problems), raw.text)
    return reading.raw + b"\n"


def _text(source: str, raw: Raw) -> bytes | Refusal:
    """The text of a log."""
    from analyzer.logs.carriers import read_raw
    from analyzer.logs.notation import own_log, write
    from analyzer.logs.refusal import Fault, Refusal

    read = read_raw(source, raw)
    if isinstance(read, Refusal):
        return read
    try:
        return write(read.hand, own_log(read.raw)).encode()
    except Fault as fault:
        return Refusal.of(read.place, fault, read.raw)


def _file(output: Path, hands: list[bytes], typed: bool) -> bytes:
    """What a file of these hands holds; ``.json`` is one hand or a list, indented."""
    if not typed:
        return b"\n".join(hands)
    if output.suffix != ".json":
        return b"".join(hands)
    import msgspec

    whole = hands[0].strip() if len(hands) == 1 else b"[" + b",".join(hand.strip() for hand in hands) + b"]"
    return msgspec.json.format(whole, indent=2) + b"\n"


class _Peeked:
    """Standard input of which the first character is known before it is read."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.stream = stream
        self.head = b""

    def begins_json(self) -> bool:
        """Whether the first character that is no white space begins a JSON object or array."""
        while not self.head.lstrip(b"\xef\xbb\xbf \t\r\n") and len(self.head) < 1 << 16:
            block = self.stream.read1(1 << 16)  # type: ignore[attr-defined]
            if not block:
                break
            self.head += block
        return self.head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[")

    def read1(self, size: int = -1) -> bytes:
        """The next bytes that are there."""
        if self.head:
            head, self.head = self.head, b""
            return head
        found: bytes = self.stream.read1(size)  # type: ignore[attr-defined]
        return found

    def __enter__(self) -> _Peeked:
        return self

    def __exit__(self, *_: object) -> None:
        pass
