"""A stored hand corrected on a page: the mended log, what it changes, and the button that takes it in."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from decimal import Decimal
from typing import Any, Final

import msgspec
import streamlit as st

from analyzer.locale import N_, Message
from analyzer.logs.notation import own_log, write
from analyzer.logs.reading import MAX_RECORD, read
from analyzer.reports.export import file_stem
from analyzer.reports.revisions import MARKS, Section
from analyzer.revisions import Judged, NotRead, closed_evenings, compared, correction, undoes
from analyzer.store.database import Database, DatabaseError
from analyzer.store.reader import open_reader
from analyzer.store.revising import take_in
from analyzer.store.stored import stored_log
from analyzer.store.treasury import books
from analyzer.store.typed import unfit
from dashboards import access, data
from dashboards.data import Row, Version
from dashboards.decisions import decisions, known_cases
from dashboards.door import show_name
from dashboards.people import known
from dashboards.words import language, plain, say

TOLD: Final = "correction-told"

Told = tuple[bool, tuple[Message, ...]]
"""Whether a correction was taken in, and what is said of it."""

PROBLEMS: Final = 10
"""Problems of a mended log that are shown: the first ones."""

REASON: Final = 300
"""Characters of a reason typed on a page."""


_decoder: Final = msgspec.json.Decoder(float_hook=Decimal)


def offer_to_correct(version: Version, hand: Row) -> None:
    """The log in force as text to mend, or a mended one as a file; nothing for who may not decide."""
    if access.editor() is None:
        return
    key = f"correct-{hand['hand_key']}"
    with st.expander(say(N_("Correct this hand")), icon=":material/edit_note:"):
        st.caption(
            say(
                N_(
                    "Mend the log here, or bring it as a file that was mended elsewhere. What would change "
                    "is shown first; nothing is taken in before you say so."
                )
            )
        )
        asked = {**data.address(hand), "correct": "1"}
        label = say(N_("Correct it by tapping"))
        st.page_link("views/entry.py", label=label, icon=":material/touch_app:", query_params=asked)
        log = stored_log(data.reader_of(version), hand["hand_key"])
        written = _notation(log)
        typed = st.text_area(say(N_("The log")), written, height=320, max_chars=MAX_RECORD, key=f"{key}-text")
        file = st.file_uploader(
            say(N_("The mended log as a file (.van or .json, at most 1 MB)")), key=f"{key}-file"
        )
        _offer_log(hand, log)
        if file is not None:
            if typed != written:
                text = N_(
                    "The log was changed above, and a file was brought: only the file counts. Take it away "
                    "to correct the hand by what was typed."
                )
                st.warning(say(text))
            now = _uploaded(f"{key}-file")
            show_correction(version, hand, file.getvalue(), file.name, key, now, from_file=True)
        elif typed != written:
            now = _typed(f"{key}-text")
            show_correction(version, hand, now(), say(N_("The log")), key, now)
        _tell_command(hand)


def show_correction(
    version: Version,
    hand: Row,
    text: bytes,
    source: str,
    key: str,
    now: Callable[[], bytes],
    *,
    from_file: bool = False,
) -> None:
    """What a mended log would change, and the button that takes it in.

    ``source`` is what it is called where it cannot be read; ``now`` tells, when the button is pressed, what
    the log is by then. One ``from_file`` may have been made from an earlier revision.
    """
    reader, by = data.reader_of(version), access.editor() or "?"
    try:
        made = correction(reader, hand, text, source, by, "?", from_file=from_file)
        closed = closed_evenings(books(decisions()), made.before.version, made.after.version)
    except NotRead as error:
        for problem in error.problems[:PROBLEMS]:
            st.error(plain(problem.render(language())))
        return
    except DatabaseError as error:
        st.warning(plain(error.message.render(language())))
        return
    numbers = say(N_("Revision {one} → revision {other}"), one=made.replaces, other=made.number)
    st.markdown(f"**{plain(numbers)}**")
    zone = known(version.path).clock(hand["club_id"]).time_zone
    if undone := undoes(made, zone):
        st.warning("  \n".join(plain(told.render(language())) for told in undone))
    for told_closed in closed:
        st.warning(plain(told_closed.render(language())))
    show_changes(version, hand, made.before, made.after)
    st.text_input(say(N_("Why is it corrected?")), key=f"{key}-why", max_chars=REASON)
    st.button(
        say(N_("Take in the correction")),
        key=f"{key}-take",
        type="primary",
        icon=":material/done_all:",
        on_click=_take,
        args=(hand, text, source, key, made.replaces, now),
    )
    show_told(told())
    show_name()


def show_changes(version: Version, hand: Row, before: Judged, after: Judged) -> None:
    """What differs between two revisions of a hand, and what that changes."""
    case = known_cases().get((hand["club_id"], hand["hand_id"])) or data.no_case(hand)
    for section in compared(data.reader_of(version), before, after, known(version.path).persons, case):
        _show_section(section)


def _show_section(section: Section) -> None:
    """One part of what changed."""
    st.markdown(f"**{plain(say(section.title.text))}**")
    if not section.lines:
        st.caption(plain(section.nothing.render(language())))
        return
    lines = []
    for line in section.lines:
        told = line.render(language())
        text = plain(told)
        if told.startswith(MARKS["added"]):
            text = f":green[{text}]"
        elif told.startswith(MARKS["dropped"]):
            text = f":red[{text}]"
        lines.append(f"- {text}")
    st.markdown("\n".join(lines))


def begin(version: Version, hand: Row) -> dict[str, Any] | None:
    """What the tapping table begins with: the whole hand in force, to be changed in any part; None where its
    log holds what no browser can keep.
    """
    text = stored_log(data.reader_of(version), hand["hand_key"])
    try:
        log = _decoder.decode(text)
        kept = json.loads(text, parse_int=lambda told: int(float(told)), parse_float=_as_kept)
    except (msgspec.DecodeError, ArithmeticError):
        return None
    if kept != log:  # a number of more digits than a browser keeps would come back as another
        return None
    log.pop("revision", None)
    key = f"mended/{hand['hand_key']}/{hand['content_sha256']}"
    return {"key": key, "base": log, "from": 0, "steps": [], "mended": True}


def _as_kept(number: str) -> Decimal:
    return Decimal(repr(float(number)))


def is_taken() -> bool:
    """Whether a correction has just been taken in, of which nothing was said yet."""
    done, messages = st.session_state.get(TOLD, (False, ()))
    return bool(done and messages)


def told() -> Told:
    """What came of the last correction, for once."""
    found: Told = st.session_state.pop(TOLD, (True, ()))
    return found


def show_told(found: Told) -> None:
    """What came of a correction: where the button is, or was, that took it in."""
    done, messages = found
    for message in messages:
        (st.success if done else st.error)(plain(message.render(language())))


def _kept(log: str) -> str:
    """A stored log in the notation, with its revision: it tells later what it was made from."""
    return write(read(log.encode())[0], own_log(log.encode()))


def _notation(log: str) -> str:
    """A stored log in the notation, without its revision: a correction makes the next one."""
    raw = log.encode()
    own = {key: value for key, value in own_log(raw).items() if key != "revision"}
    return write(msgspec.structs.replace(read(raw)[0], revision=None), own)


def _typed(key: str) -> Callable[[], bytes]:
    return lambda: str(st.session_state.get(key, "")).encode("utf-8", "replace")


def _uploaded(key: str) -> Callable[[], bytes]:
    def now() -> bytes:
        file = st.session_state.get(key)
        content: bytes = file.getvalue() if file is not None else b""
        return content

    return now


def _offer_log(hand: Row, log: str) -> None:
    """The log to save and to mend elsewhere."""
    stem = file_stem(hand["hand_id"])
    with st.container(horizontal=True):
        for label, content, suffix, mime in (
            (N_("Save its log (.van)"), _kept(log), "van", "text/plain"),
            (N_("Save its log (.json)"), log, "json", "application/json"),
        ):
            st.download_button(
                say(label), content, f"{stem}.{suffix}", mime, on_click="ignore", icon=":material/download:"
            )


def _tell_command(hand: Row) -> None:
    """The same on the command line."""
    with st.expander(say(N_("The same on the command line"))):
        st.caption(say(N_("Without --reason it only shows what would change.")))
        command = ["tienlen", "revise", hand["hand_id"], "--file", "sua.json", "--reason", "…"]
        command += ["--club", hand["club_id"]] if hand["club_id"] else []
        st.code(shlex.join([*command, "--db", str(data.folder())]), language=None, wrap_lines=True)


def _take(hand: Row, text: bytes, source: str, key: str, replaces: int, now: Callable[[], bytes]) -> None:
    """Takes in the correction that was shown, and keeps what came of it for :func:`told`."""
    done = f"{key}-done"
    in_force, found = st.session_state.get(done, (None, None))
    if found is not None and in_force == Database(access.folder()).current():  # clicked twice
        st.session_state[TOLD] = found
        return
    try:
        found = _taken(hand, text, source, key, replaces, now)
    except NotRead as error:
        found = False, error.problems[:PROBLEMS]
    except DatabaseError as error:
        found = False, (error.message,)
    if found[0]:
        st.session_state[done] = Database(access.folder()).current(), found
    st.session_state[TOLD] = found


def _taken(hand: Row, text: bytes, source: str, key: str, replaces: int, now: Callable[[], bytes]) -> Told:
    by, database = access.editor(), Database(access.folder())
    reason = str(st.session_state.get(f"{key}-why", "")).strip()
    if by is None:
        raise DatabaseError(N_("You may look at this hand, not correct it."))
    if now() != text:
        raise DatabaseError(N_("The log was changed meanwhile. Look at what differs now, then take it in."))
    if not reason:
        raise DatabaseError(N_("Say why: a hand is corrected with a reason only."))
    if (told := unfit("reason", reason, REASON)) is not None:
        return False, (told,)
    with open_reader(database) as reader:
        made = correction(reader, hand, text, source, by, reason)
    if made.replaces != replaces:
        raise DatabaseError(
            N_("Somebody corrected this hand meanwhile. Look at what differs now, then take it in.")
        )
    report = take_in(database, made.record)
    if report.conflicting or report.quarantined:
        return False, (*report.refusals, *report.conflicts)
    return True, (Message(N_("The correction is taken in; the earlier revisions stay readable.")),)
