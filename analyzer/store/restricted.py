"""A version of a database as somebody sees it who may see certain clubs only.

Every relation is put behind a view of the same name that shows those clubs alone, so no query can forget
to ask. What does not tell its club is empty: a source may hold any club's hands.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import duckdb

from analyzer.store.database import Database
from analyzer.store.reader import Reader, open_reader
from analyzer.store.relations import quote

WITHOUT_CLUB: Final = {
    "rule_sets": "sha256 IN (SELECT rules_sha256 FROM revisions)",
    "superseded": "hand_key IN (SELECT hand_key FROM revisions)",
}
"""Relations that name no club → which of their rows belong to the hands that are seen."""


def open_restricted(database: Database, name: str, clubs: frozenset[str] | None) -> Reader:
    """Opens a version with the hands of these clubs, of all where ``clubs`` is None. Raises DatabaseError."""
    reader = open_reader(database, name)
    if clubs is not None:
        _restrict(reader.connection, clubs)
    return reader


def _restrict(connection: duckdb.DuckDBPyConnection, clubs: Iterable[str]) -> None:
    own = ", ".join(quote(club) for club in sorted(clubs)) or "NULL"
    found = connection.execute(
        "SELECT table_name, bool_or(column_name = 'club_id'), any_value(is_table) FROM ("
        "    SELECT table_oid, table_name, column_name, table_oid IN (SELECT table_oid FROM duckdb_tables())"
        "        AS is_table FROM duckdb_columns()"
        "    WHERE NOT internal AND database_name = current_database() AND schema_name = 'main'"
        ") GROUP BY table_name"
    ).fetchall()
    for name, has_club, is_table in found:
        seen = f"club_id IN ({own})" if has_club else WITHOUT_CLUB.get(name, "false")
        connection.execute(f"ALTER {'TABLE' if is_table else 'VIEW'} {name} RENAME TO every_{name}")
        connection.execute(f"CREATE VIEW {name} AS FROM every_{name} WHERE {seen}")
