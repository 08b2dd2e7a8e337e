"""The stored tables as schema.sql declares them, in Arrow's types: what a worker knows of the database."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

MONEY: Final = pa.decimal64(18, 3)

_ARROW: Final = {
    "BIGINT": pa.int64(),
    "BLOB": pa.binary(),
    "BOOLEAN": pa.bool_(),
    "DATE": pa.date32(),
    "DECIMAL(18,3)": MONEY,
    "DOUBLE": pa.float64(),
    "INTEGER": pa.int32(),
    "JSON": pa.string(),
    "TIMESTAMPTZ": pa.timestamp("us", tz="UTC"),
    "USMALLINT": pa.uint16(),
    "UTINYINT": pa.uint8(),
    "VARCHAR": pa.string(),
}
_TABLE: Final = re.compile(r"^CREATE TABLE (\w+) \((.*?)\);$", re.MULTILINE | re.DOTALL)
_COLUMN: Final = re.compile(r"^ *(\w+) ([A-Z]+(?:\(\d+,\d+\))?)(\[\])?", re.MULTILINE)


def _declared() -> dict[str, dict[str, pa.DataType]]:
    text = Path(__file__).with_name("schema.sql").read_text("utf-8")
    return {
        table: {
            name: pa.list_(_ARROW[type_]) if many else _ARROW[type_]
            for name, type_, many in _COLUMN.findall(body)
        }
        for table, body in _TABLE.findall(text)
    }


TABLES: Final[dict[str, dict[str, Any]]] = _declared()
"""Table → column → Arrow type, in the order of the file."""
