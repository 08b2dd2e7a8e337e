"""The replay table as it is drawn in a browser: its html, css and js, and the words it needs.

It knows nothing of the page around it: a dashboard mounts it, and a file of its own can carry it.
``mountTable(root, view, {lang, event, labels, linkTo, onEvent})`` in ``table.js`` is its whole interface;
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
    "jump": N_("What to jump to"),
    "jumpBack": N_("Jump back"),
    "jumpNext": N_("Jump forward"),
    "flag": N_("violation"),
    "miss": N_("missed block"),
    "trick": N_("trick"),
    "play": N_("Play (Space)"),
    "pause": N_("Pause (Space)"),
    "speed": N_("Speed"),
    "missedShort": N_("missed block"),
    # ways of looking
    "tools": N_("Ways of looking at the hand"),
    "seen": N_("Whose cards are seen"),
    "openCards": N_("Open cards"),
    "seatView": N_("As {player} saw it"),
    "link": N_("Copy link"),
    "tryHere": N_("What if…"),
    "copied": N_("The link to this step is copied."),
    "copyThis": N_("Copy this link:"),
    # quiz
    "quiz": N_("Quiz"),
    "question": N_("What does {player} do?"),
    "guessPlay": N_("plays"),
    "guessPass": N_("passes"),
    "noQuestion": N_("Nothing to guess here: one step forward."),
    "right": N_("Right: {guess}."),
    "wrong": N_("No, not: {guess}."),
    "score": N_("{right} of {asked} right"),
    # help
    "help": N_("Keys (?)"),
    "helpStep": N_("one step back or forward"),
    "helpEnds": N_("to the deal, to the end"),
    "helpPlay": N_("play or pause"),
    "helpSpeed": N_("faster, slower"),
    "helpSeat": N_("as one player saw it"),
    "helpView": N_("the next player's view"),
    "helpShift": N_("With Shift, F, M, K and T jump back."),
    "close": N_("Close"),
    # the table
    "dealt": N_("The deal"),
    "stake": N_("stake {stake}"),
    "trickN": N_("Trick {n}"),
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
    "more": N_("and {n} more"),
    "undecided": N_("Whether this pass missed a block, only the unknown cards could tell."),
    "chop": N_("Chop"),
    "forfeit": N_("Pays for the table"),
    "forfeitDismissed": N_("(Dismissed) paying for the table"),
    # what could have been played, and the table before
    "legal": N_("Legal plays"),
    "plays": N_("Legal plays: {n}"),
    "playsKnown": N_("Legal plays among the known cards: {n}"),
    "hadToPass": N_("There was no legal play: passing was all that was left."),
    "onlyUnknown": N_("None among the known cards; the others are unknown."),
    "hiddenPlays": N_("Only the player's own cards tell, and they are hidden in this view."),
    "noChoice": N_("None are listed here: no play or pass in turn was due."),
    "before": N_("Before this step"),
    "toAct": N_("To act"),
    "toBeat": N_("To beat"),
    "aLead": N_("nothing: a new trick is led"),
    "holding": N_("{player} held"),
    "others": N_("The others' cards"),
    # the list and the money
    "events": N_("The hand, step by step"),
    "settlement": N_("Settlement"),
    "hanging": N_(
        "What hangs on suits that nobody remembers (only what is owed in any case is counted above)"
    ),
    "settledHere": N_("from this step"),
    "nobodyPays": N_("Nobody pays anybody."),
    "net": N_("Net"),
}


SCRIPTS: Final = ("drawing", "sight", "felt", "panel", "table")
"""The parts of the script, in the order in which one needs the other."""


class Assets(NamedTuple):
    """The texts of the component's files."""

    html: str
    css: str
    js: str


@cache
def assets() -> Assets:
    """The component, as a page mounts it."""
    return Assets(text("table.html"), text("table.css"), "\n".join(text(f"{name}.js") for name in SCRIPTS))


@cache
def file_assets() -> Assets:
    """The component with what it needs to be a file of its own."""
    html, css, js = assets()
    return Assets(html, css + text("page.css"), js + text("page.js"))


@cache
def text(name: str) -> str:
    """One of the component's files."""
    return (Path(__file__).parent / name).read_text("utf-8")


@cache
def labels() -> dict[str, dict[str, str]]:
    """The component's words in every language: ``{key: {"vi": …, "en": …}}``."""
    return {key: {lang: translate(text, lang) for lang in LANGUAGES} for key, text in LABELS.items()}
