"""The tapping table as a Streamlit component: a hand in the making, kept by the browser, judged here.

What the browser sends is one text, ``{"id", "version", "draft", "text"}``; the answer is the page of that
draft with its id and version, so that the browser knows what it is an answer to.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
import streamlit as st
from msgspec import Meta

from analyzer.locale import LANGUAGES, N_, translate
from analyzer.reports.drafting import MAX_DRAFT, Drafted, drafted, parse_draft
from analyzer.reports.table_view import labels as table_labels
from analyzer.reports.table_view import text as table_text

KEY: Final = "tapping"

LABELS: Final = {
    "locale": N_("en-GB"),
    "tab_setup": N_("Table"),
    "tab_deal": N_("Cards dealt"),
    "tab_play": N_("Play"),
    # drafts
    "drafts": N_("Drafts"),
    "draftName": N_("Name of the draft"),
    "create": N_("New hand"),
    "ask": N_("Delete draft"),
    "question": N_("Delete this draft? It cannot be brought back."),
    "remove": N_("Delete"),
    "keep": N_("Keep"),
    "handOf": N_("{evening} · hand {n}"),
    "broken": N_("unreadable draft"),
    "saved": N_("Each step is kept in this browser."),
    "notSaved": N_("This browser keeps nothing: download the log before you leave."),
    "notStored": N_("Nothing is stored unless you save it as a variation."),
    "notTaken": N_("The stored hand stays as it is until you take in the correction."),
    # the table
    "setup": N_("The table"),
    "howMany": N_("Players"),
    "playerN": N_("Player {n}"),
    "rules": N_("House rules"),
    "stakeField": N_("Stake"),
    "currency": N_("Currency"),
    "points": N_("points"),
    "chips": N_("chips"),
    "leadReason": N_("Who leads"),
    "leadSeat": N_("The one who leads"),
    "leadUnknown": N_("not known"),
    "lead_opening": N_("opening hand"),
    "lead_won_previous": N_("won the hand before"),
    "lead_forfeited_previous": N_("paid for the table before"),
    "lead_agreed": N_("agreed at the table"),
    "recordHead": N_("The record"),
    "club": N_("Club"),
    "evening": N_("Evening"),
    "handNo": N_("Number in the evening"),
    "handId": N_("Id of the hand"),
    "tableName": N_("Table's name"),
    "playedAt": N_("Played at"),
    # the deal
    "dealHelp": N_("Tap the cards that were dealt to {player}. Cards nobody remembers are left out."),
    "known": N_("{n} of {of} known"),
    "rest": N_("All other cards to {player}"),
    "clear": N_("Clear {player}'s cards"),
    # acts
    "seats": N_("Who acts"),
    "board": N_("The cards"),
    "cardsLeft": N_("{n} cards"),
    "openSuits": N_("suit not remembered"),
    "onTable": N_("on the table"),
    "act_play": N_("Play"),
    "act_pass": N_("Pass"),
    "undo": N_("Undo (Z)"),
    "redo": N_("Redo (Y)"),
    "narrow": N_("and {n} more: tap a card to see those with it"),
    "noTurn": N_("Choose who acts."),
    "noList": N_("The plays are not listed here: words given, or a holding that cannot be, leave them open."),
    "notInTurn": N_("It is not {player}'s turn. What happened can be entered all the same."),
    "others": N_("Something else happened"),
    "othersHelp": N_("{player}; cards are the ones tapped above."),
    "act_sayPass": N_("says pass"),
    "act_sayPlay": N_("names the cards"),
    "act_expose": N_("exposes the cards"),
    "act_showEnd": N_("shows the cards at the end"),
    "act_claim": N_("claims an instant win"),
    "act_callLast": N_("calls the last card"),
    "act_callOut": N_("calls going out"),
    "act_count": N_("counts the played cards"),
    "act_takeBack": N_("takes back"),
    "act_steal": N_("steals the lead with the cards"),
    "act_putAway": N_("puts the cards away"),
    "act_leave": N_("leaves the hand"),
    "act_tribute": N_("gives tribute to {player}"),
    "act_note": N_("Add the note"),
    "note": N_("Note"),
    # the record
    "record": N_("What happened"),
    "noActs": N_("Nothing yet."),
    "drop": N_("Delete this act"),
    "toEnd": N_("Back to the end"),
    "inserting": N_("What you enter now goes before act {n}."),
    "moneySoFar": N_("Money so far"),
    "following": N_("Next hand"),
    # as text
    "words": N_("As text"),
    "form_notation": N_("Notation"),
    "form_json": N_("As JSON"),
    "takeText": N_("Use this text"),
    "dropText": N_("Discard the changes"),
    # tried another way
    "follow": N_("Go on as it was played, from act {n}"),
    "tried": N_("What it changes"),
    "goOn": N_("This hand is not over: go on, and the money comes to its end."),
    "place": N_("Place"),
    "before": N_("as played"),
    "after": N_("now"),
    "none": N_("nobody pays for the table"),
}
"""The component's own words; what it shares with the replay table it has from there."""

MOUNT: Final = """
// Streamlit calls this again after each run of the page.
const mounted = new WeakMap();
export default function ({ parentElement, data, setStateValue }) {
  let table = mounted.get(parentElement);
  if (table?.key !== data.key) {
    table?.entry.destroy();
    table = { key: data.key, entry: mountEntry(parentElement, (text) => setStateValue("draft", text)) };
    mounted.set(parentElement, table);
  }
  table.entry.show(data);
  return () => {
    table.entry.destroy();
    mounted.delete(parentElement);
  };
}
"""


class Sent(msgspec.Struct, forbid_unknown_fields=True):
    """What the browser sends: a draft as text, and the text that somebody is typing beside it."""

    id: Annotated[str, Meta(max_length=512)]
    version: Annotated[int, Meta(ge=0, le=1_000_000_000)]
    draft: msgspec.Raw
    text: Annotated[str, Meta(max_length=MAX_DRAFT)] | None = None


def sent(key: str) -> Sent | None:
    """What the browser sent last, if it sent anything that can be read."""
    told = st.session_state.get(key) or {}
    text = told.get("draft")
    if not isinstance(text, str) or len(text) > 2 * MAX_DRAFT:
        return None
    try:
        return msgspec.json.decode(text, type=Sent)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return None


def current(key: str) -> Drafted:
    """The hand that the browser sent last. Raises DraftBroken where it sent none."""
    told = sent(key)
    return drafted(parse_draft(bytes(told.draft) if told is not None else b""))


def tapping_table(key: str, data: dict[str, Any]) -> None:
    """Draws the table; what is entered comes back by :func:`sent` of the same key."""
    parts = [table_text("drawing.js"), *(_text(f"{name}.js") for name in SCRIPTS)]
    component = st.components.v2.component(
        "tienlen_tapping",
        html=_text("entry.html"),
        css=table_text("table.css") + _text("entry.css"),
        js="\n".join(parts) + MOUNT,
    )
    told = {"key": key, "labels": labels(), **data}
    component(data=plain(told), key=key, on_draft_change=lambda: None)


_encoder: Final = msgspec.json.Encoder(decimal_format="number")


def plain(told: dict[str, Any]) -> dict[str, Any]:
    """The same with exact numbers as JavaScript's: what is no plain JSON never reaches the browser whole."""
    found: dict[str, Any] = msgspec.json.decode(_encoder.encode(told))
    return found


SCRIPTS: Final = ("drafts", "board", "setup", "record", "drawn", "entry")


@cache
def labels() -> dict[str, dict[str, str]]:
    """The component's words in every language."""
    own = {key: {lang: translate(text, lang) for lang in LANGUAGES} for key, text in LABELS.items()}
    return table_labels() | own


def _text(name: str) -> str:
    return (Path(__file__).parent / name).read_text("utf-8")
