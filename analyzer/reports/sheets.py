"""Tables for other programs: CSV, XLSX and Parquet, with amounts exact and texts harmless.

A sheet's rows hold plain values: texts, ints, Decimals, dates and times; None is an empty cell. Words such
as a cause are codes, told in the reader's language but in Parquet, which is for programs.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final, Literal

from analyzer.locale import N_, Message, translate
from analyzer.reports.text import safe

if TYPE_CHECKING:
    import pyarrow as pa

Kind = Literal["text", "number", "amount", "day", "time"]
Cell = str | int | Decimal | date | datetime | None

MOST_ROWS: Final = 1_048_575
"""Rows that a sheet of a workbook holds below its headings."""

LONGEST: Final = 32_000
"""Characters of a cell; spreadsheets hold 32,767."""

_FORMULA: Final = re.compile(
    r"[\s\"'“”‘’«»\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]*[=+\-@＝＋－＠−]|[\t\r\n]"
)
"""What a spreadsheet may take for the beginning of a formula, behind whatever it passes over."""

_EARLIEST: Final = 1900
"""The first year that spreadsheets know as a date."""


class TooLarge(Exception):
    """More rows than the format holds; ``message`` says it."""

    def __init__(self, rows: int) -> None:
        self.message = Message(
            N_("{rows} rows are more than a workbook holds ({most}). Take CSV or Parquet."),
            rows=rows,
            most=MOST_ROWS,
        )
        super().__init__(self.message.render("en"))


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name for programs, its heading (a text of the catalogue), what it holds."""

    key: str
    heading: str
    kind: Kind = "text"
    words: Mapping[str, str] = field(default_factory=dict)
    """Code → text of the catalogue."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table with its name for programs and its title (a text of the catalogue)."""

    key: str
    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]


def csv_of(sheet: Sheet, lang: str) -> bytes:
    """RFC 4180 with a byte order mark, by which spreadsheets know UTF-8; numbers with a point."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow([translate(column.heading, lang) for column in sheet.columns])
    for row in sheet.rows:
        writer.writerow(
            [_csv_cell(column, cell, lang) for column, cell in zip(sheet.columns, row, strict=True)]
        )
    return text.getvalue().encode("utf-8-sig")


def _csv_cell(column: Column, cell: Cell, lang: str) -> str:
    if cell is None:
        return ""
    if column.kind == "text":
        return guarded(told(column, cell, lang))
    if isinstance(cell, datetime):
        return cell.replace(tzinfo=None).isoformat(" ", "seconds")
    return format(_shortest(cell), "f") if isinstance(cell, Decimal) else str(cell)


def guarded(text: str) -> str:
    """A text that no spreadsheet takes for a formula: such a one gets an apostrophe before it."""
    return "'" + safe(text) if _FORMULA.match(text) else safe(text)


def told(column: Column, cell: Cell, lang: str) -> str:
    """A text cell in a language."""
    return translate(column.words[str(cell)], lang) if str(cell) in column.words else str(cell)


def _shortest(amount: Decimal) -> Decimal:
    """Without zeros that say nothing; never as a power of ten when written with ``f``."""
    return amount.normalize() + Decimal(0) if amount else Decimal(0)


# -- a workbook ------------------------------------------------------------------------------------


def xlsx_of(sheets: Sequence[Sheet], lang: str) -> bytes:
    """A workbook: amounts are numbers, days and times are dates, texts are never formulas or links.

    An amount of more than 15 digits, which a spreadsheet would round, is given as a text.
    Raises TooLarge.
    """
    import xlsxwriter

    if (most := max(len(sheet.rows) for sheet in sheets)) > MOST_ROWS:
        raise TooLarge(most)
    content = io.BytesIO()
    options = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(content, {"in_memory": True, **options}) as book:
        head = book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "top"})
        formats = {
            "day": book.add_format({"num_format": "dd/mm/yyyy", "align": "left"}),
            "time": book.add_format({"num_format": "dd/mm/yyyy hh:mm:ss", "align": "left"}),
            "whole": book.add_format({"num_format": "#,##0"}),
            "parts": book.add_format({"num_format": "#,##0.000"}),
        }
        for sheet in sheets:
            page = book.add_worksheet(translate(sheet.title, lang)[:31])
            for at, column in enumerate(sheet.columns):
                cells = [row[at] for row in sheet.rows]
                page.write_string(0, at, translate(column.heading, lang), head)
                _write_column(page, at, column, cells, formats, lang)
            page.freeze_panes(1, 0)
            if sheet.rows:
                page.autofilter(0, 0, len(sheet.rows), len(sheet.columns) - 1)
            page.set_landscape()
            page.set_paper(9)
            page.fit_to_pages(1, 0)
            page.repeat_rows(0)
    return content.getvalue()


def _write_column(
    page: Any, at: int, column: Column, cells: Sequence[Cell], formats: Mapping[str, Any], lang: str
) -> None:
    whole = all(cell == cell // 1 for cell in cells if isinstance(cell, Decimal))
    width = max(8, len(translate(column.heading, lang)) + 3)
    for row, cell in enumerate(cells, 1):
        if cell is None:
            continue
        if isinstance(cell, datetime) and cell.year >= _EARLIEST:
            page.write_datetime(row, at, cell.replace(tzinfo=None), formats["time"])
            width = max(width, 19)
        elif isinstance(cell, date) and not isinstance(cell, datetime) and cell.year >= _EARLIEST:
            page.write_datetime(row, at, cell, formats["day"])
            width = max(width, 11)
        elif isinstance(cell, int):
            page.write_number(row, at, cell)
        elif isinstance(cell, Decimal) and len(cell.normalize().as_tuple().digits) <= 15:
            page.write_number(row, at, float(cell), formats["whole" if whole else "parts"])
            width = max(width, len(f"{cell:,.0f}") + (2 if whole else 6))
        else:
            text = safe(told(column, cell, lang))[:LONGEST]
            page.write_string(row, at, text)
            width = max(width, min(len(text) + 2, 50))
    page.set_column(at, at, min(width, 50))


# -- parquet ---------------------------------------------------------------------------------------


def parquet_of(sheet: Sheet) -> bytes:
    """Parquet with DECIMAL amounts, DATE days and times in UTC; texts and codes as they are stored."""
    import pyarrow as pa
    from pyarrow import parquet

    arrays = [
        pa.array([_parquet_cell(row[at]) for row in sheet.rows], type=_type(column.kind))
        for at, column in enumerate(sheet.columns)
    ]
    content = io.BytesIO()
    table = pa.Table.from_arrays(arrays, names=[column.key for column in sheet.columns])
    parquet.write_table(table, content, compression="zstd")
    return content.getvalue()


def _parquet_cell(cell: Cell) -> Cell:
    return cell.astimezone(UTC) if isinstance(cell, datetime) else cell


def _type(kind: Kind) -> pa.DataType:
    import pyarrow as pa

    types: dict[Kind, pa.DataType] = {
        "text": pa.string(),
        "number": pa.int64(),
        "amount": pa.decimal128(38, 3),
        "day": pa.date32(),
        "time": pa.timestamp("us", tz="UTC"),
    }
    return types[kind]
