"""One stored hand, read back: what its log says and the rules it was judged under."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from analyzer.locale import LANGUAGES
from analyzer.logs.codes import read_code
from analyzer.logs.hand import Hand
from analyzer.logs.reading import read
from analyzer.rules.knobs import Knobs
from analyzer.rules.ruleset import Ground, RuleSet
from analyzer.store.reader import Reader


def find_hands(reader: Reader, hand_id: str, club_id: str | None = None) -> list[dict[str, Any]]:
    """The hands in force of this id, one a club, by club; of one club if it is given.

    Instead of an id a sheet's code (``tl:5aee0dc51779@5``) may be given: it finds the hand in force whose
    content, or that of an earlier revision, begins like that.
    """
    code = read_code(hand_id)
    parameters = {"hand": hand_id, "club": club_id} | ({"sha": code.sha256} if code is not None else {})
    return reader.rows(
        f"""
        SELECT hand_key, club_id, hand_id, hand_no, evening, content_sha256, rules_sha256, rules_id FROM hands
        WHERE ({"hand_id = $hand" if code is None else _OF_CODE}) AND ($club IS NULL OR club_id = $club)
        ORDER BY club_id
        """,
        parameters,
    )


_OF_CODE: Final = """
hand_id = $hand
OR (club_id, hand_id) IN (SELECT (club_id, hand_id) FROM revisions WHERE starts_with(content_sha256, $sha))
"""


def stored_hand(reader: Reader, hand_key: int, rules_sha256: str) -> tuple[Hand, RuleSet]:
    """A stored hand, and the rules that it was stored with."""
    return parsed(reader, stored_log(reader, hand_key), rules_sha256)


def stored_log(reader: Reader, hand_key: int) -> str:
    """The record of a stored hand, as it was taken in."""
    (row,) = reader.rows("SELECT log FROM hands WHERE hand_key = $key", {"key": hand_key})
    log: str = row["log"]
    return log


def parsed(reader: Reader, log: str, rules_sha256: str) -> tuple[Hand, RuleSet]:
    """The hand in a stored record, and the rules that it was stored with."""
    hand, named, _ = read(log.encode())
    return hand, named if named.sha256 == rules_sha256 else stored_rules(reader, rules_sha256) or named


def stored_rules(reader: Reader, sha256: str) -> RuleSet | None:
    """The rule set as it was when hands were judged under it; a preset may have changed since."""
    found = reader.rows(
        "FROM rule_sets SELECT id, title_vi, title_en, text, provenance WHERE sha256 = $sha LIMIT 1",
        {"sha": sha256},
    )
    if not found:
        return None
    return rules_of(found[0])


def rules_of(row: Mapping[str, Any]) -> RuleSet | None:
    """A row of ``rule_sets`` as a rule set; None where this program does not know its knobs."""
    try:
        knobs = msgspec.json.decode(row["text"], type=Knobs)
    except msgspec.DecodeError:
        return None
    grounds = {
        path: Ground(told["basis"], tuple(told["sources"]), told["because"], told["doubt"], told["given_by"])
        for path, told in json.loads(row["provenance"]).items()
    }
    title = {lang: row[f"title_{lang}"] or row["id"] for lang in LANGUAGES}
    return RuleSet(row["id"], title, knobs, grounds)
