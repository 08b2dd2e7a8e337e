"""What the pages are narrowed to: one set of filters for all of them, kept in the address.

The address is the truth: a link says everything, and whoever follows one (or opens a page anew) sees just
what it asks for. As long as somebody stays on a page, the filters write what they are set to back into it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any, Final, TypeVar

import streamlit as st

from analyzer.locale import N_
from dashboards import data
from dashboards.data import Evening, Filters, Version
from dashboards.people import known
from dashboards.words import day, distinct, language, number, paid, plain, say

KEYS: Final = (
    *("text", "club", "player", "evening", "from", "until", "table", "rules", "stake", "count", "with"),
    *("violation", "forfeit"),
)
"""The keys of the address that are filters."""

OPPONENTS: Final = 3
"""Others at the table, at most."""

TEXT: Final = 200
"""Letters that are searched for, at most."""

WRITTEN: Final = "filters as written"
"""In the session: the page whose filters were drawn last, and the address as they wrote it."""

DRAWN: Final = "filters as drawn"
"""In the session: what the widgets of that page were set to."""

Player = tuple[str, str]
Stake = tuple[Decimal, str]
T = TypeVar("T")


@dataclass(frozen=True)
class Options:
    """What there is to choose from in one version of a database."""

    people: dict[Player, str]
    rules: dict[str, str]
    tables: list[Player]
    stakes: list[Stake]
    days: tuple[date, date] | None

    @property
    def clubs(self) -> list[str]:
        """The clubs that have players; hands that name none come last."""
        return sorted({club for club, _ in self.people}, key=lambda club: (club == "", club))

    def persons(self, club: str | None) -> list[Player]:
        """The persons of a club, or of all, by name."""
        return [player for player in self.people if club in (None, player[0])]

    def names(self, club: str | None) -> dict[Player, str]:
        """What the persons of a club are called, or those of all: namesakes then with their club."""
        return data.apart({player: self.people[player] for player in self.persons(club)})


def options(version: Version) -> Options:
    """What there is to choose from; nobody where there are no hands."""
    tables = version.rows(
        "SELECT DISTINCT club_id, table_id FROM hands WHERE table_id IS NOT NULL ORDER BY ALL LIMIT 5000"
    )
    stakes = version.rows("SELECT DISTINCT currency, stake FROM hands ORDER BY ALL LIMIT 5000")
    first, last = data.days(version)
    return Options(
        data.people(version),
        data.rule_sets(version, language()),
        [(row["club_id"], row["table_id"]) for row in tables],
        [(row["stake"], row["currency"]) for row in stakes],
        # A club day may begin on the calendar day before.
        (first - timedelta(1), last) if first and last else None,
    )


def choose(
    version: Version,
    offered: Options,
    page: str,
    *,
    search: bool = False,
    one_club: bool = False,
    evenings: bool = False,
) -> Filters:
    """Draws the filters of a page, and returns what they are set to.

    With ``search`` there are also those that only a list of hands has, with ``evenings`` one of the evenings
    can be chosen, and with ``one_club`` a club always is. Where there are no people there is nothing to draw.
    """
    asked = {key: st.query_params.get_all(key) for key in KEYS}
    wanted = _asked_for(version, offered, asked, one_club)
    last_page, last_address = st.session_state.get(WRITTEN, (None, None))
    # Who uses a widget before the browser has taken in the address of the one used before sends the address
    # from before both: the widgets are the newer wish. A link that is followed changes no widget.
    used = page == last_page and _used()
    if (page, asked) != (last_page, last_address) and not used:
        # Widgets of another page do not hand their state on, though it is still to be seen in the session.
        st.session_state.update(wanted)
        if evenings:
            st.session_state["evening"] = _evening_asked_for()
    for key, value in wanted.items():
        st.session_state.setdefault(key, value)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        text = _search() if search else ""
        club = _club(offered, one_club)
        names = offered.names(club)
        player = _select("player", N_("Player"), N_("everybody"), list(names), names.get)
    with st.expander(say(N_("More filters")), icon=":material/filter_list:", key="more-filters"):
        found = _narrow(version, offered, club, player, text, search, evenings)
    st.session_state[DRAWN] = {key: st.session_state.get(key) for key in (*wanted, "evening")}
    _write(page, found)
    if told := _in_words(found, offered):
        st.caption(say(N_("Only: {filters}"), filters=plain(" · ".join(told))))
    return found


def _used() -> bool:
    """Whether a widget is set to something else than it was drawn with; one that is gone, since another page
    was looked at, is not."""
    drawn = st.session_state.get(DRAWN, {})
    return any(key in st.session_state and st.session_state[key] != value for key, value in drawn.items())


def clear() -> None:
    """Takes every filter away, also one that was used in the same moment."""
    st.session_state.pop(WRITTEN, None)
    # In one step: each is one for the browser's Back.
    st.query_params.from_dict({k: st.query_params.get_all(k) for k in st.query_params if k not in KEYS})


def is_narrowed(filters: Filters, offered: Options, *, one_club: bool = False) -> bool:
    """Whether anything is left out; a club that has to be chosen leaves nothing out."""
    return filters != Filters(club=filters.club if one_club or len(offered.clubs) == 1 else None)


def address(filters: Filters) -> dict[str, str | list[str]]:
    """The query parameters that set these filters."""
    player = filters.player or (filters.club, None)
    stake = f"{filters.stake[0].normalize():f} {filters.stake[1]}" if filters.stake else None
    told: dict[str, Any] = {
        "text": filters.text,
        "club": filters.evening.club_id if filters.evening else player[0],
        "player": player[1],
        "evening": filters.evening.evening if filters.evening else None,
        "from": filters.since and filters.since.isoformat(),
        "until": filters.until and filters.until.isoformat(),
        "table": filters.table,
        "rules": filters.rules,
        "stake": stake,
        "count": filters.players and str(filters.players),
        "with": list(filters.opponents),
        "violation": "1" if filters.violation else None,
        "forfeit": "1" if filters.forfeit else None,
    }
    return {key: value for key, value in told.items() if value or (key, value) == ("club", "")}


def _asked_for(
    version: Version, offered: Options, asked: dict[str, list[str]], one_club: bool
) -> dict[str, Any]:
    """What the address sets each widget to; what is not there to choose from is passed over."""
    one = {key: values[-1] for key, values in asked.items() if values}
    club, clubs = one.get("club"), offered.clubs
    if club is None and "player" in one:
        club = ""
    if club not in clubs:
        club = clubs[0] if one_club and clubs else None
    person = known(version.path).person
    player = (club or "", person(club or "", one.get("player", "")))
    stake = _stake(one.get("stake", ""))
    count = one.get("count", "")
    return {
        "text": one.get("text", "")[:TEXT],
        "club": club,
        "player": player if player in offered.people else None,
        "days": _range(one, offered),
        "table": one.get("table"),
        "rules": one.get("rules"),
        "stake": stake if stake in offered.stakes else None,
        "count": int(count) if count in ("2", "3", "4") else None,
        "with": [(club or "", person(club or "", id_)) for id_ in asked["with"]],
        "violation": "violation" in one,
        "forfeit": "forfeit" in one,
    }


def _search() -> str:
    hint = say(N_("player or hand"))
    return st.text_input(
        say(N_("Search")), key="text", placeholder=hint, icon=":material/search:", max_chars=TEXT
    )


def _club(offered: Options, one_club: bool) -> str | None:
    """The club that is looked at; nobody is asked where there is only one."""
    if len(offered.clubs) == 1:
        return offered.clubs[0]
    name: Callable[[str], str] = lambda club: club or say(N_("no club"))  # noqa: E731
    if one_club:
        if st.session_state.get("club") not in offered.clubs:
            st.session_state["club"] = offered.clubs[0]
        return st.selectbox(say(N_("Club")), offered.clubs, format_func=name, key="club")
    return _select("club", N_("Club"), N_("all of them"), offered.clubs, name)


def _narrow(
    version: Version,
    offered: Options,
    club: str | None,
    player: Player | None,
    text: str,
    search: bool,
    evenings: bool,
) -> Filters:
    """The further filters."""
    tables = sorted({table for of, table in offered.tables if club in (None, of)})
    home = player[0] if player else club
    with st.container(horizontal=True, vertical_alignment="bottom"):
        since, until = _days(version, offered, home)
        rules = _select("rules", N_("House rules"), N_("all of them"), list(offered.rules), offered.rules.get)
        table = _select("table", N_("Table"), N_("all of them"), tables, str)
        stake = _select("stake", N_("Stake"), N_("all of them"), offered.stakes, lambda s: paid(*s))
        opponents: list[Player] = []
        if home is not None:
            others = [other for other in offered.persons(home) if other != player]
            chosen = [other for other in dict.fromkeys(st.session_state["with"]) if other in others]
            st.session_state["with"] = chosen[:OPPONENTS]
            opponents = st.multiselect(
                say(N_("Also at the table")),
                others,
                format_func=offered.people.__getitem__,
                key="with",
                placeholder=say(N_("anybody")),
                max_selections=OPPONENTS,
            )
        players = st.segmented_control(say(N_("Players at the table")), (2, 3, 4), key="count")
        violation = search and st.checkbox(say(N_("has a violation")), key="violation")
        forfeit = search and st.checkbox(say(N_("has a forfeit")), key="forfeit")
        evening = _evening(version, home) if evenings else _evening_asked_for() if search else None
    return Filters(
        text=text,
        club=club,
        player=player,
        opponents=tuple(id_ for _, id_ in opponents),
        rules=rules,
        table=table,
        stake=stake,
        players=players,
        since=since,
        until=until,
        evening=evening if evening and club in (None, evening.club_id) else None,
        violation=violation,
        forfeit=forfeit,
    )


def _evening_asked_for() -> Evening | None:
    """The evening of the address."""
    asked = st.query_params
    return Evening(asked.get("club", ""), asked["evening"]) if "evening" in asked else None


def _evening(version: Version, club: str | None) -> Evening | None:
    """One of the latest evenings, or the one asked for wherever it lies."""
    found = data.evenings(version, st.session_state.get("evening"))
    titles = distinct(
        {at: data.evening_title(row) for at, row in found.items() if club in (None, at.club_id)},
        lambda at: at.club_id,
    )
    return _select("evening", N_("Evening"), N_("every evening"), list(titles), titles.get)


def _days(version: Version, offered: Options, club: str | None) -> tuple[date | None, date | None]:
    """The first and the last club day."""
    if offered.days is None:
        return None, None
    first, last = offered.days
    if not all(first <= chosen <= last for chosen in st.session_state["days"]):
        st.session_state["days"] = ()
    clock = known(version.path).clock(club)
    help_ = N_(
        "Days of the club: an evening past midnight belongs to the day on which it began. "
        "A day starts at {start} ({zone})."
    )
    chosen = st.date_input(
        say(N_("From – to")),
        min_value=first,
        max_value=last,
        format="DD/MM/YYYY",
        key="days",
        width=280,
        help=say(help_, start=clock.day_starts, zone=plain(clock.time_zone)),
    )
    since, until = (*chosen, None, None)[:2] if isinstance(chosen, tuple) else (chosen, None)
    return since, until


def _select(
    key: str, label: str, nothing: str, choices: Sequence[T], name: Callable[[T], str | None]
) -> T | None:
    """One of several choices, or none; a choice that is no longer there is let go."""
    if st.session_state.get(key) not in choices:
        st.session_state[key] = None
    return st.selectbox(
        say(label),
        choices,
        None,
        format_func=lambda choice: name(choice) or str(choice),
        key=key,
        placeholder=say(nothing),
    )


def _write(page: str, filters: Filters) -> None:
    """Brings the address up to date, whatever else it holds left alone."""
    told = address(filters)
    if any(st.query_params.get_all(key) != _listed(told.get(key)) for key in KEYS):
        others = {k: st.query_params.get_all(k) for k in st.query_params if k not in KEYS}
        st.query_params.from_dict({**others, **told})
    st.session_state[WRITTEN] = page, {key: st.query_params.get_all(key) for key in KEYS}


def _listed(value: str | list[str] | None) -> list[str]:
    return value if isinstance(value, list) else [value] if value is not None else []


def _in_words(filters: Filters, offered: Options) -> list[str]:
    """The further filters that are in force, since their widgets are folded away."""
    told = []
    if filters.since:
        told.append(say(N_("from {day}"), day=day(filters.since)))
    if filters.until:
        told.append(say(N_("until {day}"), day=day(filters.until)))
    if filters.rules:
        told.append(offered.rules[filters.rules])
    if filters.table:
        told.append(say(N_("table {table}"), table=filters.table))
    if filters.stake:
        told.append(say(N_("stake {amount}"), amount=paid(*filters.stake)))
    if filters.players:
        told.append(say(N_("{n} players"), n=number(filters.players)))
    club = filters.player[0] if filters.player else filters.club
    told += [say(N_("with {player}"), player=offered.people[club or "", id_]) for id_ in filters.opponents]
    if filters.evening and club in (None, filters.evening.club_id) and "evening" in st.session_state:
        told.append(say(N_("evening {evening}"), evening=filters.evening.evening.split(" ", 1)[-1]))
    told += [say(N_("has a violation"))] if filters.violation else []
    told += [say(N_("has a forfeit"))] if filters.forfeit else []
    return told


def _range(one: dict[str, str], offered: Options) -> tuple[date, ...]:
    """The days of the address, as far as any hand may belong to them."""
    if offered.days is None:
        return ()
    first, last = offered.days
    found = {}
    for key in ("from", "until"):
        with suppress(ValueError):
            found[key] = min(max(date.fromisoformat(one.get(key, "")), first), last)
    if "until" not in found:
        return tuple(found.values())
    begin = found.get("from", first)
    return (begin, found["until"]) if begin <= found["until"] else ()


def _stake(text: str) -> Stake | None:
    """A stake of the address: an amount and its currency."""
    amount, _, currency = text.partition(" ")
    try:
        stake = Decimal(amount)
    except InvalidOperation:
        return None
    return (stake, currency) if stake.is_finite() else None
