"""Sức khoẻ dữ liệu: what was read, what was refused or set aside, and what is missing."""

from __future__ import annotations

from datetime import datetime
from pathlib import PurePath
from zoneinfo import ZoneInfo

import streamlit as st

from analyzer.locale import N_
from dashboards import data, health
from dashboards.access import editor
from dashboards.data import Evening, Row
from dashboards.health import SHOWN
from dashboards.people import known
from dashboards.words import day, language, moment, number, plain, say

COUNT_NAMES = {
    "accepted": N_("new hands: {n}"),
    "unchanged": N_("known already: {n}"),
    "superseded": N_("other revisions: {n}"),
    "conflicting": N_("conflicts: {n}"),
    "quarantined": N_("refused: {n}"),
}

# Stored hands up to which the logs are looked into without being asked for.
AT_ONCE = 50_000


def accounting(row: Row) -> str:
    """Where the records went, as a sum."""
    parts = [say(COUNT_NAMES[name], n=number(row[name])) for name in health.COUNTS if row[name]]
    records = say(N_("{n} records"), n=number(row["records"]))
    return f"{records} = {' + '.join(parts)}" if parts else records


def well(text: str) -> None:
    """Something that is as it should be."""
    st.markdown(f":green[:material/check:] {text}")


def when(at: datetime) -> str:
    """An instant by the clock of the club, where there is one; else by that of Việt Nam's clubs."""
    clubs = sorted({club for club, _ in data.people(version)})
    clock = known(version.path).clock(clubs[0] if len(clubs) == 1 else None)
    return moment(at.astimezone(ZoneInfo(clock.time_zone)).isoformat())


def more(count: int) -> None:
    """How many there are beyond those that are shown."""
    if count > SHOWN:
        st.caption(say(N_("… and {n} more."), n=number(count - SHOWN)))


def place(row: Row) -> str:
    """Where a record stood: the file's name and the line or index."""
    told = health.visible(PurePath(row["source_path"]).name or row["source_path"])
    if row["source_line"] is not None:
        told += " · " + say(N_("line {n}"), n=number(row["source_line"]))
    elif row["source_index"] is not None:
        told += " · " + say(N_("record {n}"), n=number(row["source_index"] + 1))
    return told


def record(raw: bytes | str, name: str, key: str) -> None:
    """A record's text, harmless; the whole of it to download where it is long."""
    text, cut = health.excerpt(raw)
    st.code(text, language=None, wrap_lines=True)
    if cut:
        st.caption(say(N_("Only the beginning is shown.")))
        st.download_button(
            say(N_("Download the whole record")), raw, name, "text/plain", key=key, icon=":material/download:"
        )


def show_sources() -> None:
    """What was read, when, and what became of it."""
    st.subheader(say(N_("Sources")))
    whole = health.totals(version)
    if not whole["sources"]:
        st.info(say(N_("Nothing has been read yet.")))
        return
    st.markdown(say(N_("{n} sources, last read:"), n=number(whole["sources"])) + f" **{accounting(whole)}**")
    balance = sum(whole[name] for name in health.COUNTS) == whole["records"]
    if balance:
        well(say(N_("Every record is accounted for.")))
    else:
        st.error(
            say(
                N_("The sum does not add up. Check the database with: {command}"),
                command="`tienlen db verify`",
            )
        )
    with st.expander(say(N_("The sources, the last read first"))):
        for row in health.sources(version):
            told = f"**{plain(health.visible(row['path']))}** · {when(row['last_read_at'])}"
            if row["times_read"] > 1:
                told += " · " + say(N_("read {n} times"), n=number(row["times_read"]))
            st.markdown(told)
            st.caption(plain(accounting(row)))
        more(whole["sources"])


def show_quarantine() -> None:
    """Records that were refused, and how to mend them."""
    st.subheader(say(N_("Refused records")))
    count, rows = health.quarantine(version)
    if not count:
        well(say(N_("No record was refused.")))
        return
    st.markdown(say(N_("**{n}** records could not be taken in and are kept as they were."), n=number(count)))
    with st.expander(say(N_("What to do about them"))):
        st.markdown(
            say(
                N_(
                    "Correct the file and take it in again: known hands do not change. Or mend one record: "
                    "the first command lists them with their numbers, the second explains one, the third "
                    "takes it in again."
                )
            )
        )
        one = rows[0]["number"]
        commands = ("quarantine list", f"quarantine show {one}", f"quarantine retry {one} --file mended.json")
        st.code("\n".join(f"tienlen {command} --db {data.folder()}" for command in commands), language=None)
    for index, row in enumerate(rows):
        with st.container(border=True, gap="xsmall"):
            told = (
                f":red[✗] **{number(row['number'])} · {plain(place(row))}** · {when(row['quarantined_at'])}"
            )
            st.markdown(told)
            for line in row[f"message_{language()}"].split("\n"):
                st.markdown(plain(health.visible(line)))
            with st.expander(say(N_("The record as it was read"))):
                record(row["raw"], f"record-{index + 1}.txt", f"raw-{index}")
    more(count)


def show_conflicts() -> None:
    """Records that contradict a stored hand, field by field."""
    st.subheader(say(N_("Conflicts")))
    count, rows = health.conflicts(version)
    if not count:
        well(say(N_("No record contradicts a stored hand.")))
        return
    st.markdown(
        say(
            N_(
                "**{n}** records say something else about a stored hand. The stored hand stands; where the "
                "other is right, give it the next revision and take it in again."
            ),
            n=number(count),
        )
    )
    for index, row in enumerate(rows):
        with st.container(border=True, gap="xsmall"):
            st.page_link(
                "views/replay.py",
                label=f":orange[≠] **{plain(health.visible(row['hand_id']))}** · {plain(place(row))}",
                query_params=data.address(row),
            )
            found = row["differences"]
            for difference in found[: health.SHOWN]:
                before, after = (
                    plain(health.shown(difference[side])) if side in difference else "—"
                    for side in ("before", "after")
                )
                path = plain(health.visible(difference["path"]))
                st.markdown(
                    say(
                        N_("{path}: stored {before}, set aside {after}"),
                        path=f"**{path}**",
                        before=before,
                        after=after,
                    )
                )
            more(len(found))
            with st.expander(say(N_("The record that was set aside"))):
                revision = f'"revision": {{"number": {row["next_revision"]}}}'
                st.markdown(say(N_("To take it in, add this to it:")) + f" `{revision}`")
                record(row["log"], f"conflict-{index + 1}.json", f"conflict-{index}")
    more(count)


def show_gaps() -> None:
    """Evenings with missing hands, and what else is found between the hands of one."""
    st.subheader(say(N_("Between the hands")))
    count, rows = health.gaps(version)
    if count:
        st.markdown(say(N_("In **{n}** evenings hand numbers are missing:"), n=number(count)))
    else:
        well(say(N_("No hand number is missing in any evening.")))
    evenings = data.evenings(version, None)
    for row in rows:
        evening = Evening(row["club_id"], row["evening"])
        found = evenings.get(evening) or data.find_evening(version, evening)
        ranges = [
            number(gap["first"])
            if gap["first"] == gap["last"]
            else f"{number(gap['first'])}–{number(gap['last'])}"
            for gap in row["gaps"][:SHOWN]
        ]
        title = data.evening_title(found) if found else row["evening"]
        st.page_link(
            "views/hands.py",
            label=f"**{plain(title)}**: " + plain(say(N_("missing: {hands}"), hands=", ".join(ranges))),
            query_params={"club": row["club_id"], "evening": row["evening"]},
        )
    more(count)
    titles = {evening: data.evening_title(row) for evening, row in evenings.items()}
    chosen = st.selectbox(
        say(N_("Look between the hands of an evening")),
        list(titles),
        index=None,
        format_func=titles.__getitem__,
        key="health-evening",
        placeholder=say(N_("choose an evening")),
    )
    if chosen is None:
        return
    findings = data.between_hands(version, chosen)
    if not findings:
        well(say(N_("Every hand of this evening follows from the one before.")))
    for finding in findings:
        told = plain(f"{finding.hand.hand_id}: {finding.message.render(language())}")
        (st.info if finding.severity == "info" else st.warning)(told)


def show_hands() -> None:
    """Hands of which something is not known."""
    st.subheader(say(N_("Incomplete hands")))
    hands = health.outcomes(version)
    if hands["unfinished"]:
        st.page_link(
            "views/violations.py",
            label=say(N_("The log ends before the hand does: {n} hands"), n=number(hands["unfinished"])),
            icon=":material/flag:",
            query_params={"code": "hand_unfinished"},
        )
    else:
        well(say(N_("Every log goes on to the end of its hand.")))
    if hands["undated"]:
        st.markdown(say(N_("Without a date: {n} hands"), n=number(hands["undated"])))
    if hands["unnumbered"]:
        st.markdown(
            say(
                N_("Without a number, so that a gap would not be noticed: {n} hands"),
                n=number(hands["unnumbered"]),
            )
        )
    if hands["hands"] > AT_ONCE and not st.session_state.get("health-logs"):
        st.button(
            say(N_("Count the hands with unknown cards (looks into {n} logs)"), n=number(hands["hands"])),
            key="health-ask",
            on_click=look_into_logs,
        )
        return
    bar = st.progress(0.0, say(N_("Looking into the logs …")))
    found = health.unknown_cards(version, bar.progress)
    bar.empty()
    if not found.latest:
        well(say(N_("The cards dealt are known in every hand.")))
        return
    st.markdown(
        say(
            N_("Without any record of the deal: {none} hands; with some cards unknown: {part} hands"),
            none=number(found.without_deal),
            part=number(found.in_part),
        )
    )
    st.caption(say(N_("What such a hand leaves open is told as possible, and nothing is charged for it.")))
    with st.expander(say(N_("The latest of them"))):
        for row in found.latest:
            label = f"**{plain(data.title(row))}** · {day(row['played_on'])}"
            st.page_link("views/replay.py", label=label, query_params=data.address(row))


def look_into_logs() -> None:
    """From now on the logs are looked into in this visit."""
    st.session_state["health-logs"] = True


def show_folder() -> None:
    """The database folder, for those who look after it."""
    st.subheader(say(N_("The database")))
    found = health.folder(version)
    if found is None:
        st.info(say(N_("A newer version has just been published. Load the page again.")))
        return
    st.markdown(f"`{health.visible(found.path).replace('`', '')}`")
    st.markdown(
        say(
            N_(
                "Version **{number}** of {day}, written by tienlen {program}: "
                "{revisions} hands with all their revisions"
            ),
            number=found.number,
            day=when(found.written_at),
            program=plain(found.program),
            revisions=number(found.revisions),
        )
    )
    st.markdown(say(N_("{size} in {n} files"), size=size(found.size), n=number(found.segments)))
    if found.older_versions:
        st.markdown(
            say(
                N_("{n} older versions are kept to go back to; {size} more are for them alone"),
                n=number(found.older_versions),
                size=size(found.older_size),
            )
        )
    if found.segments > health.MANY:
        st.info(
            say(
                N_("Many small files slow the pages down. Merge them with: {command}"),
                command="`tienlen db compact`",
            )
        )


def size(count: int) -> str:
    """A number of bytes as people write it, rounded."""
    for unit, divisor in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= divisor:
            return f"{number(round(count / divisor))} {unit}"
    return f"{number(count)} B"


version = data.open_version()
st.title(say(N_("Data health")))
show_sources()
show_quarantine()
show_conflicts()
if not data.people(version):
    data.say_no_hands()
else:
    show_gaps()
    show_hands()
if editor() is not None:
    show_folder()
