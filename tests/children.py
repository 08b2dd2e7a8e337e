"""What the tests of the database run in processes that they can kill.

Each says ``go`` when everything is imported, so that a kill hits the work and not the start.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

from analyzer.store.compaction import compact
from analyzer.store.database import Database
from analyzer.store.ingest import ingest
from analyzer.store.reader import Reader, open_reader
from analyzer.store.versions import rollback

ONE_VERSION = """
SELECT
    (SELECT count(*) FROM revisions) AS hands,
    (SELECT coalesce(sum(player_count), 0) FROM hands) = (SELECT count(*) FROM seats) AS seats_agree,
    (SELECT coalesce(sum(net), 0) FROM seats) AS net
"""


def read(database: Database, until: Path) -> None:
    """Reads as a page does, reopening when the version changes, until a file appears; tells what it saw."""
    versions: list[int] = []
    reads = 0
    reader: Reader | None = None
    parent = os.getppid()
    while os.getppid() == parent and not (reads and until.exists()):
        name = database.current()
        if reader is None or reader.manifest.name != name:
            if reader is not None:
                reader.close()
            reader = open_reader(database)
            versions.append(reader.manifest.number)
        (row,) = reader.rows(ONE_VERSION)
        reads += 1
        assert row["hands"] == reader.manifest.hands, row
        assert row["seats_agree"], row
        assert row["net"] == 0, row
        time.sleep(0.01)
    assert versions == sorted(versions), versions
    print(json.dumps({"reads": reads, "versions": versions}))


def main() -> None:
    work, folder, *rest = sys.argv[1:]
    database = Database(folder)
    print("go", flush=True)
    if work == "read":
        read(database, Path(rest[0]))
    elif work == "ingest":
        ingest(rest, database)
    elif work == "compact":
        compact(database, keep=3)
    else:
        rollback(database)
