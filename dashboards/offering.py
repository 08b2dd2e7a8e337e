"""What is offered to somebody who enters a hand: the people and evenings known, and how it might begin."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any, Final

import streamlit as st

from analyzer.locale import N_
from analyzer.reports.account import make_account
from analyzer.reports.drafting import Log, following, name_id
from analyzer.rules.loading import preset, preset_ids
from dashboards import data
from dashboards.data import Filters, Version
from dashboards.words import level, say

SAME_EVENING: Final = timedelta(hours=14)
"""Hands less far apart than this are of one evening, where nobody says otherwise."""

PEOPLE: Final = 300
FIRST: Final = 1

_log: Log = {
    "format": "tienlen-hand/1",
    "rules": "mien-nam",
    "stake": 10_000,
    "currency": "VND",
    "lead": {"reason": "opening"},
    "events": [],
}


@st.cache_data(ttl=300, max_entries=100, show_spinner=False)
def kept_offer(_version: Version | None, version: str, lang: str) -> dict[str, Any]:
    """:func:`offer` for a version by its path and name, which a hand being entered asks for at every tap."""
    return offer(_version, datetime.now().astimezone())


def offer(version: Version | None, now: datetime) -> dict[str, Any]:
    """What a hand may be filled in with. Without a database there is nobody known yet."""
    people = data.apart(data.people(version)) if version is not None else {}
    names = sorted({(person, level(name)) for (_, person), name in people.items()}, key=lambda each: each[1])
    evenings = data.evenings(version, None) if version is not None else {}
    return {
        "log": begin(version, now),
        "rules": [[id_, dict(preset(id_).title)] for id_ in preset_ids()],
        "people": names[:PEOPLE],
        "clubs": sorted({each.club_id for each in evenings if each.club_id}),
        "evenings": [row["session_id"] for row in list(evenings.values())[:20] if row["session_id"]],
    }


def begin(version: Version | None, now: datetime) -> Log:
    """How the next hand might begin: after the last one stored, of its evening if that is still going on."""
    latest = data.find_hands(version, Filters())[:1] if version is not None else []
    if version is None or not latest:
        names = [say(N_("Player {n}"), n=n) for n in range(1, 5)]
        players = [{"id": name_id(name), "name": name} for name in names]
        return {**_log, **_evening(version, now), "players": players}
    hand, rules = data.logged(version, latest[0])
    account = make_account(hand, rules)
    log = following(hand, account.judgement.next_lead)
    played = hand.played_at and datetime.fromisoformat(hand.played_at.upper().replace(" ", "T"))
    if not played or now - played > SAME_EVENING or played - now > SAME_EVENING:
        log = log | _evening(version, now, hand.club_id) | {"lead": {"reason": "opening"}}
    return {**log, "hand_id": _free(version, log["hand_id"], hand.club_id)}


def _evening(version: Version | None, now: datetime, club: str = "") -> Log:
    day = f"{now:%Y-%m-%d}"
    return {"session_id": day, "hand_no": FIRST, "hand_id": _free(version, f"{day}-{FIRST}", club)}


def _free(version: Version | None, hand_id: str, club: str) -> str:
    """An id that no stored hand has: the one proposed, or one with the next number at its end."""
    while version is not None and data.find_hand(version, hand_id, club) is not None:
        number = re.search(r"\d{1,9}$", hand_id)
        hand_id = f"{hand_id[: number.start()]}{int(number[0]) + 1}" if number else f"{hand_id[:120]}-2"
    return hand_id


def version_or_none() -> Version | None:
    """The version in force; None where there is no database yet: hands can be entered all the same."""
    return data.open_version() if data.exists() else None
