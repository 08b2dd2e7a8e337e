"""`python -m analyzer.locale`: collects every text into the catalogue and compiles it.

Texts are the arguments of ``N_`` in the code, the documentation of the knobs, and the reasons and
doubts of the presets. New ones get an empty translation, which a test reports.
"""

from __future__ import annotations

import io
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from analyzer.locale import DOMAIN
from analyzer.reports.grounds import descriptions
from analyzer.rules.loading import PRESETS

ROOT: Final = Path(__file__).resolve().parents[2]
FOLDER: Final = Path(__file__).parent / "vi" / "LC_MESSAGES"
PO: Final = FOLDER / f"{DOMAIN}.po"
EPOCH: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""A date that never changes, so that the file changes only when its texts do."""

MO: Final = FOLDER / f"{DOMAIN}.mo"


def texts() -> Iterator[tuple[str, str]]:
    """Every text that a person may read, with where it comes from."""
    for package in ("analyzer", "dashboards"):
        found = extract_from_dir(ROOT / package, [("**.py", "python")], keywords={"N_": None})
        for file, _line, message, _comments, _context in found:
            yield str(message), f"{package}/{file}"
    for path, text in descriptions().items():
        yield text, f"knob:{path}"
    for preset in sorted(PRESETS.glob("*.toml")):
        for text in _grounds(tomllib.loads(preset.read_text("utf-8"))):
            yield text, f"preset:{preset.stem}"


def _grounds(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            if key in ("because", "doubt"):
                yield item
            else:
                yield from _grounds(item)
    elif isinstance(value, list):
        for item in value:
            yield from _grounds(item)


def collected() -> Catalog:
    """The Vietnamese catalogue with exactly today's texts; translations are kept."""
    known = Catalog()
    if PO.exists():
        with PO.open("rb") as file:
            known = read_po(file, locale="vi")
    fresh = Catalog(
        locale="vi", domain=DOMAIN, project="tienlen", fuzzy=False, creation_date=EPOCH, revision_date=EPOCH
    )
    for text, place in texts():
        old = known.get(text)
        message = fresh.get(text) or fresh.add(text, str(old.string) if old else "")
        if (place, 0) not in message.locations:
            message.locations.append((place, 0))
    return fresh


def po_text(catalogue: Catalog) -> bytes:
    """The catalogue as the text of its file: sorted, without dates or line numbers."""
    file = io.BytesIO()
    write_po(file, catalogue, sort_output=True, width=100, include_lineno=False)
    return file.getvalue()


def mo_bytes(catalogue: Catalog) -> bytes:
    """The compiled catalogue."""
    file = io.BytesIO()
    write_mo(file, catalogue)
    return file.getvalue()


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    catalogue = collected()
    PO.write_bytes(po_text(catalogue))
    with PO.open("rb") as file:
        read = read_po(file, locale="vi")
    MO.write_bytes(mo_bytes(read))
    missing = sum(1 for message in read if message.id and not message.string)
    print(f"{len(read)} texts, {missing} without a translation")


if __name__ == "__main__":
    main()
