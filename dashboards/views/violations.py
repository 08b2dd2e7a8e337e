"""Vi phạm và đền bài: the queue of flagged hands, how many there are over time, and soft play."""

from __future__ import annotations

from datetime import date

import polars as pl
import streamlit as st

from analyzer.cards import symbols_of_texts
from analyzer.locale import N_
from analyzer.reports.account import FORFEIT_NAMES
from analyzer.reports.codes import CODE_NAMES
from analyzer.reports.grounds import LAWS, describe
from analyzer.reports.text import CERTAINTY_NAMES
from dashboards import data, filters, violations
from dashboards.charts import shares_chart
from dashboards.data import Row
from dashboards.soft_play import ENOUGH, LEVEL
from dashboards.violations import FAULTS, FORFEIT, PAGE, Flagged, Narrowed
from dashboards.words import day, language, number, percent, plain, say

VIEWS = {"queue": N_("Queue"), "time": N_("Over time"), "soft": N_("Soft play")}
SEVERITIES = {"error": N_("errors"), "warning": N_("warnings"), "info": N_("notes"), "all": N_("everything")}
MARKS = {"error": ":red[✗]", "warning": ":orange[!]", "info": ":blue[i]"}
ACTS = {"play": N_("plays {cards}"), "pass": N_("passes")}

# Comments, not docstrings: Streamlit would print those of a page.
# Stored hands up to which soft play is counted without being asked for.
AT_ONCE = 20_000

# Weeks or months below which there is no picture.
FEW = 3

# Pairs shown that do not stand out.
PAIRS = 20


def begin() -> None:
    """What the filters of this page start with when it is opened: what a link asked for."""
    asked = st.query_params
    for key, allowed in (("code", codes), ("certainty", CERTAINTY_NAMES), ("severity", SEVERITIES)):
        value = asked.get(key)
        st.session_state.setdefault(f"flag-{key}", value if value in allowed else None)
    view = asked.get("show")
    st.session_state.setdefault("flag-view", view if view in VIEWS else "queue")


def clear() -> None:
    """Takes every filter away."""
    filters.clear()
    for key in ("code", "certainty", "severity"):
        st.session_state[f"flag-{key}"] = None


def select(key: str, label: str, titles: dict[str, str], placeholder: str) -> str | None:
    """One filter; None where nothing is chosen."""
    return st.selectbox(
        label,
        list(titles),
        index=None,
        format_func=lambda value: titles.get(value, str(value)),
        key=f"flag-{key}",
        placeholder=placeholder,
    )


def choose() -> Narrowed:
    """The filters of the view, as they are set."""
    found = filters.choose(version, offered, "violations", evenings=True)
    keep(show=None if view == "queue" else view)
    if view == "soft":  # the other filters stay in the address, for the way back
        return Narrowed(found)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        named = {
            code: f"{say(CODE_NAMES.get(code, code))} ({number(hands)})" for code, hands in codes.items()
        }
        sure = {key: say(name) for key, name in CERTAINTY_NAMES.items()}
        grave = {key: say(name) for key, name in SEVERITIES.items()}
        code = select("code", say(N_("Violation")), named, say(N_("every kind")))
        certainty = select("certainty", say(N_("Certainty")), sure, say(N_("however sure")))
        severity = select("severity", say(N_("Severity")), grave, say(N_("errors and warnings")))
    keep(code=code, certainty=certainty, severity=severity)
    # What is no fault can be asked for by its code alone.
    severities: tuple[str, ...] | None = None
    if severity is None and code is None:
        severities = FAULTS
    elif severity not in (None, "all"):
        severities = (severity,)
    return Narrowed(found, code, certainty, severities)


def everything(narrowed: Narrowed) -> bool:
    """Whether nothing is left out but what is no fault."""
    return narrowed == Narrowed(narrowed.filters) and not filters.is_narrowed(narrowed.filters, offered)


def keep(**wanted: str | None) -> None:
    """Writes into the address what is chosen."""
    for key, value in wanted.items():
        if value is None:
            st.query_params.pop(key, None)
        elif st.query_params.get(key) != value:
            st.query_params[key] = value


def show_queue(narrowed: Narrowed) -> None:
    """The flagged hands, page by page."""
    place = f"flag-page-{hash(narrowed)}"
    found = violations.queue(version, narrowed, st.session_state.get(place, 1) - 1)
    if not found.hands and st.session_state.get(place, 1) > 1:  # fewer pages than there were
        st.session_state[place] = 1
        found = violations.queue(version, narrowed, 0)
    if not found.hands:
        if everything(narrowed):
            st.success(say(N_("No hand has an error, a warning or a forfeit.")), icon=":material/check:")
        else:
            st.info(say(N_("No hand passes these filters. Take one of them away, or all:")))
            st.button(say(N_("Clear all filters")), on_click=clear)
        return
    pages = -(-found.hands // PAGE)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        told = say(N_("**{n}** hands with {flags} flags"), n=number(found.hands), flags=number(found.flags))
        st.markdown(told, width="stretch")
        if not everything(narrowed):
            st.button(say(N_("Clear all filters")), on_click=clear, type="tertiary")
        if pages > 1:
            st.number_input(say(N_("Page of {n}"), n=number(pages)), 1, pages, key=place, width=130)
    for flagged in found.shown:
        show_hand(flagged)


def show_hand(flagged: Flagged) -> None:
    """A hand, and each of its flags with the proof in a line."""
    hand = flagged.hand
    with st.container(border=True, gap="xsmall"):
        where = " · ".join(filter(None, [hand["session_id"] or hand["table_id"], hand["club_id"]]))
        with st.container(horizontal=True, vertical_alignment="center"):
            label = f"**{plain(data.title(hand))}** · {day(hand['played_on'])}"
            label += f" · :gray[:small[{plain(where)}]]" if where else ""
            link(hand, label, None, icon=":material/play_circle:", width="stretch")
            asked, name = data.address(hand), say(N_("Case"))
            st.page_link("views/cases.py", label=name, icon=":material/balance:", query_params=asked)
        for flag in flagged.flags:
            link(hand, told(flag), flag["event"])
            st.caption(grounds(flag))


def told(flag: Row) -> str:
    """A flag in a line: how grave it is, who did what, and how sure that is."""
    text = plain(flag[f"message_{language()}"])
    mark = MARKS[flag["severity"]]
    if flag["code"] == FORFEIT:
        sure = flag["certainty"] == "certain"  # only then it was charged
        mark = ":red[₫]" if sure else ":orange[₫]"
        does = (
            N_("{player} pays for the table: {why}")
            if sure
            else N_("{player} may have to pay for the table: {why}")
        )
        text = say(does, player=plain(flag["name"]), why=say(FORFEIT_NAMES[flag["kind"]]))
    if flag["certainty"] != "certain":
        text += f" ({plain(say(CERTAINTY_NAMES[flag['certainty']]))})"
    return f"{mark} {text}"


def grounds(flag: Row) -> str:
    """The act, and the rule that it is measured by."""
    rule = flag["rule"]
    try:
        name = say(LAWS[rule] if rule in LAWS else describe(rule))
    except (KeyError, StopIteration):  # a knob of an older or a later program
        name = ""
    parts = [plain(name.rstrip(".")), f"`{rule}`"]
    if flag["event"] is not None:
        act = say(N_("act {n}"), n=number(flag["event"] + 1))
        if flag["act"] in ACTS:
            act += ": " + say(ACTS[flag["act"]], cards=symbols_of_texts((flag["cards"] or "").split()))
        parts.insert(0, plain(act))
    return " · ".join(part for part in parts if part)


def link(
    hand: Row, label: str, event: int | None, *, icon: str | None = None, width: str = "content"
) -> None:
    """A link that opens a hand, at an event if one is given."""
    address = data.address(hand, event)
    st.page_link("views/replay.py", label=label, icon=icon, query_params=address, width=width)  # type: ignore[arg-type]


def show_time(narrowed: Narrowed) -> None:
    """The share of hands with a flag, by week or month."""
    units = {"week": say(N_("by week")), "month": say(N_("by month"))}
    unit = st.segmented_control(
        say(N_("Over time")),
        list(units),
        format_func=units.__getitem__,
        default="month",
        key="flag-unit",
        required=True,
        label_visibility="collapsed",
    )
    found = violations.over_time(version, narrowed, unit or "month")
    rows = [row for row in found if row["since"] is not None]
    if not rows:
        st.info(say(N_("None of these hands has a date.")))
        return
    hands, flagged = sum(row["hands"] for row in rows), sum(row["flagged"] for row in rows)
    st.markdown(
        say(
            N_("**{share}** of the hands are flagged: {flagged} of {hands}"),
            share=percent(flagged / hands),
            flagged=number(flagged),
            hands=number(hands),
        )
    )
    if undated := sum(row["hands"] for row in found) - hands:
        st.caption(say(N_("{n} hands without a date are left out."), n=number(undated)))
    texts = [
        say(
            N_("from {day}: {share}, {flagged} of {hands} hands"),
            day=day(row["since"]),
            share=percent(row["flagged"] / row["hands"]),
            flagged=number(row["flagged"]),
            hands=number(row["hands"]),
        )
        for row in rows
    ]
    listed = "\n".join(f"- {plain(text)}" for text in reversed(texts))
    if len(rows) < FEW:
        st.markdown(listed)
        return
    since: list[date] = [row["since"] for row in rows]
    chart = shares_chart(since, [row["flagged"] / row["hands"] for row in rows], texts, language())
    st.plotly_chart(chart, key="flag-chart", config={"displayModeBar": False})
    with st.expander(say(N_("The same in figures"))):
        st.markdown(listed)


def show_soft_play(narrowed: Narrowed) -> None:
    """Pairs where one lets the other off more often than chance allows, with what that does not mean."""
    st.markdown(
        say(
            N_(
                "Does somebody spare one particular player? Counted are the turns in which a player held a "
                "legal play against another's cards: he beat them, or let them stand by passing. A pair is "
                "compared with the same player's turns against everybody else, under the same rules, with as "
                "many players, and sitting as many seats further on."
            )
        )
    )
    st.warning(
        say(
            N_(
                "This is no proof. Saving a two or a bomb is good play, and habits, seats and luck differ "
                "from evening to evening. A pair that stands out is a reason to look at its hands, "
                "and no more."
            )
        ),
        icon=":material/balance:",
    )
    hands = violations.hands_stored(version)
    if hands > AT_ONCE and not st.session_state.get("flag-soft"):
        st.markdown(say(N_("{n} hands are to be gone through; that takes a while."), n=number(hands)))
        st.button(
            say(N_("Compare all pairs")), key="flag-ask", on_click=ask_soft_play, icon=":material/play_arrow:"
        )
        return
    bar = st.progress(0.0, say(N_("Counting turns …")))
    pairs = violations.soft_play(version, narrowed.filters, bar.progress)
    bar.empty()
    if (player := narrowed.filters.player) is not None:
        pairs = pairs.filter(
            pl.col("club_id") == player[0],
            (pl.col("player_id") == player[1]) | (pl.col("owner_id") == player[1]),
        )
    if pairs.is_empty():
        st.info(
            say(
                N_(
                    "No pair can be compared yet: that takes {n} turns against one player, and as many "
                    "against others who sat as many seats away."
                ),
                n=ENOUGH,
            )
        )
        return
    outstanding = pairs.filter(pl.col("chance") < LEVEL)
    st.subheader(
        say(N_("{n} of {pairs} pairs stand out"), n=number(len(outstanding)), pairs=number(len(pairs)))
    )
    for pair in outstanding.iter_rows(named=True):
        show_pair(pair)
    st.caption(
        say(
            N_(
                "A pair stands out where chance alone would name any pair at all in less than one of twenty "
                "such comparisons (Mantel and Haenszel's test, its variance taken from whole hands, Holm's "
                "correction for the number of pairs). Intervals are Wilson's, at 95 %. Compared are pairs "
                "with {n} turns or more. Hands with unknown cards that matter, and what comes after an "
                "error, are left out."
            ),
            n=ENOUGH,
        )
    )
    rest = pairs.filter(pl.col("chance") >= LEVEL)
    if not rest.is_empty():
        with st.expander(say(N_("The next pairs, which do not stand out"))):
            for pair in rest.head(PAIRS).iter_rows(named=True):
                show_pair(pair)


def ask_soft_play() -> None:
    """From now on the pairs are compared in this visit."""
    st.session_state["flag-soft"] = True


def show_pair(pair: Row) -> None:
    """A pair with its count, interval and what was to be expected."""
    club = pair["club_id"]
    player, owner = (people.get((club, pair[key]), pair[key]) for key in ("player_id", "owner_id"))
    with st.container(border=True, gap="xsmall"):
        st.markdown(
            say(
                N_("**{player}** let the cards of **{owner}** stand"),
                player=plain(player),
                owner=plain(owner),
            )
        )
        st.markdown(
            say(
                N_(
                    "**{share}** of {turns} turns ({n}); 95 % interval {low} to {high}; "
                    "against everybody else {expected}"
                ),
                share=percent(pair["share"]),
                turns=number(pair["turns"]),
                n=number(pair["let_stand"]),
                low=percent(pair["low"]),
                high=percent(pair["high"]),
                expected=percent(pair["expected"]),
            )
        )
        chance = percent(pair["chance"]) if pair["chance"] >= 0.001 else "< " + percent(0.001)
        st.caption(say(N_("chance of this among so many pairs: {chance}"), chance=chance))


version = data.open_version()
st.title(say(N_("Violations")))
offered = filters.options(version)
people = offered.names(None)
if not people:
    data.say_no_hands()
    st.stop()

codes = violations.counts(version)
begin()
views = {name: say(title) for name, title in VIEWS.items()}
view = st.segmented_control(
    say(N_("Violations")),
    list(VIEWS),
    format_func=views.__getitem__,
    key="flag-view",
    required=True,
    label_visibility="collapsed",
)
narrowed = choose()
if view == "queue":
    show_queue(narrowed)
elif view == "time":
    show_time(narrowed)
else:
    show_soft_play(narrowed)
