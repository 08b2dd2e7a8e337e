"""The replay table as it is drawn in a browser: its html, css and js, and the words it needs.

It knows nothing of the page around it: a dashboard mounts it, and a file of its own can carry it.
``mountTable(root, view, {lang, event, labels, onEvent})`` in ``table.js`` is its whole interface;
``root`` holds ``table.html``, ``view`` is what :func:`analyzer.reports.view.view_of` returns.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from analyzer.locale import LANGUAGES, N_, translate

LABELS: Final = {
    # stepping
    "controls": N_("Step through the hand"),
    "slider": N_("Position in the hand"),
    "first": N_("To the deal (Home)"),
    "back": N_("One step back (←)"),
    "next": N_("One step forward (→)"),
    "last": N_("To the end (End)"),
    "flagBack": N_("Previous flag (Shift+F)"),
    "flagNext": N_("Next flag (F)"),
    "missBack": N_("Previous missed block (Shift+M)"),
    "missNext": N_("Next missed block (M)"),
    "missedShort": N_("missed block"),
    "keys": N_("Keys: ← → Home End · F next flag · M next missed block · with Shift: the previous one"),
    # the table
    "dealt": N_("The deal"),
    "stake": N_("stake {stake}"),
    "trick": N_("Trick {n}"),
    "of": N_("played by {player}"),
    "leads": N_("Trick over: {player} leads"),
    "closed": N_("Trick over"),
    "over": N_("The hand is over"),
    "empty": N_("Nothing on the table yet"),
    "turn": N_("to act"),
    "passed": N_("passed"),
    "frozen": N_("frozen"),
    "left": N_("has left"),
    "clockwise": N_("Play goes clockwise"),
    "counterclockwise": N_("Play goes counter-clockwise"),
    "place1": N_("first"),
    "place2": N_("second"),
    "place3": N_("third"),
    "placeLast": N_("last"),
    # acts that put nothing on the table
    "pass": N_("pass"),
    "claim": N_("claims an instant win"),
    "say": N_("says"),
    "take_back": N_("takes back"),
    "show": N_("shows"),
    "count": N_("counts the played cards"),
    "call": N_("calls"),
    "exchange": N_("gives tribute"),
    "discard": N_("puts away"),
    "leave": N_("leaves the hand"),
    # rulings
    "ruling": N_("Ruling"),
    "clean": N_("Nothing to object to here."),
    "nearest": N_("The next flag: step {n}"),
    "disputed": N_("disputed"),
    "disputedFrom": N_("Disputed from here: an error came before (step {n})."),
    "error": N_("against the rules"),
    "warning": N_("a duty broken"),
    "info": N_("worth knowing"),
    "certain": N_("certain"),
    "possible": N_("possible: unknown cards decide"),
    "undecidable": N_("cannot be decided: unknown cards"),
    "rule": N_("Rule"),
    "value": N_("Value"),
    "ground": N_("Ground"),
    "because": N_("Because"),
    "missed": N_("{player} passed and could have blocked"),
    "plays": N_("Legal plays: {n}"),
    "more": N_("and {n} more"),
    "undecided": N_("Whether this pass missed a block, only the unknown cards could tell."),
    "chop": N_("Chop"),
    "forfeit": N_("Pays for the table"),
    # the list and the money
    "events": N_("The hand, step by step"),
    "settlement": N_("Settlement"),
    "settledHere": N_("from this step"),
    "nobodyPays": N_("Nobody pays anybody."),
    "net": N_("Net"),
}


class Assets(NamedTuple):
    """The texts of the component's files."""

    html: str
    css: str
    js: str


@cache
def assets() -> Assets:
    """The component's files."""
    folder = Path(__file__).parent
    return Assets(*((folder / f"table.{kind}").read_text("utf-8") for kind in Assets._fields))


@cache
def labels() -> dict[str, dict[str, str]]:
    """The component's words in every language: ``{key: {"vi": …, "en": …}}``."""
    return {key: {lang: translate(text, lang) for lang in LANGUAGES} for key, text in LABELS.items()}
