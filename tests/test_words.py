"""No text that a person sees on a page is written past the catalogue."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from dashboards.words import distinct, plain

ROOT: Final = Path(__file__).parents[1]

PAGES: Final = sorted((Path(__file__).parents[1] / "dashboards").glob("**/*.py"))

SHOWN: Final = {
    *("title", "header", "subheader", "markdown", "write", "caption", "text", "code", "info", "warning"),
    *("error", "success", "toast", "exception", "button", "download_button", "link_button"),
    *("form_submit_button", "checkbox", "toggle", "radio", "selectbox", "multiselect", "slider", "pills"),
    *("select_slider", "segmented_control", "text_input", "text_area", "number_input", "date_input"),
    *(
        "time_input",
        "file_uploader",
        "metric",
        "tabs",
        "expander",
        "popover",
        "status",
        "spinner",
        "progress",
    ),
    *("dialog", "badge", "feedback", "chat_input", "data_editor", "menu_button"),
}
"""What Streamlit's functions are called that show their first text."""

WORDS: Final = {"label", "help", "placeholder", "body", "title", "text", "delta", "caption", "captions"}
"""Parameters that are shown, wherever they stand."""

SAME: Final = {"Ngôn ngữ · Language", "Tiến Lên"}
"""Texts that are the same in every language."""

MARKUP: Final = re.compile(r":[a-z]+(?=\[)|:material/\w+:|`[^`]*`")


def said_past_the_catalogue(source: str) -> list[str]:
    """The texts that calls of Streamlit's functions show and no catalogue has."""
    tree = ast.parse(source)
    found = []
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call):
            continue
        name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        told: list[ast.expr] = [word.value for word in call.keywords if word.arg in WORDS and name]
        if name in SHOWN and call.args:
            told.append(call.args[0])
        if (
            isinstance(call.func, ast.Name)
            and call.func.id == "say"
            and isinstance(call.args[0], ast.Constant)
        ):
            found.append(str(call.args[0].value))  # a text that is not marked is not collected
        for expression in told:
            found += [text for text in literals(expression) if is_prose(text)]
    return found


def literals(expression: ast.expr) -> Iterator[str]:
    """The texts that an expression shows as they are written."""
    if isinstance(expression, ast.Constant) and isinstance(expression.value, str):
        yield expression.value
    elif isinstance(expression, ast.JoinedStr | ast.List | ast.Tuple | ast.BinOp | ast.IfExp):
        for child in ast.iter_child_nodes(expression):
            if isinstance(child, ast.expr):
                yield from literals(child)


def is_prose(text: str) -> bool:
    """Whether there are words in a text that a reader has to understand."""
    plain = MARKUP.sub("", text)
    return (
        any(map(str.isalpha, plain)) and text not in SAME and not re.fullmatch(r"\s*tienlen .*", text, re.S)
    )


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_no_page_says_anything_past_the_catalogue(path: Path) -> None:
    assert said_past_the_catalogue(path.read_text("utf-8")) == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('st.title("Money")', ["Money"]),
        ('column.markdown(f"**{name}** won")', ["** won"]),
        ('st.selectbox(say(N_("Player")), names, placeholder="all")', ["all"]),
        ('st.tabs(["One", say(N_("Two"))])', ["One"]),
        ('st.button("Yes" if sure else say(N_("No")))', ["Yes"]),
        ('say("not marked")', ["not marked"]),
        ('st.markdown(f":red[✗] {told} · **{n}** `{path}`")', []),
        ('st.title(say(N_("Money")), help=say(N_("Why")))', []),
    ],
)
def test_what_is_said_past_the_catalogue_is_found(source: str, found: list[str]) -> None:
    assert said_past_the_catalogue(source) == found


def test_labels_to_choose_by_differ_and_turn_no_direction() -> None:
    labels = {("a", "1"): "An", ("b", "1"): "An", ("c", "2"): "An (1)", ("d", "3"): "\u202eevil"}
    told = distinct(labels, lambda key: key[1], lambda key: key[0])
    assert len(set(told.values())) == len(labels)
    assert told["d", "3"] == "\ufffdevil"
    assert "\u202e" not in plain("\u202eevil")


def test_no_text_stands_by_itself_in_a_page() -> None:
    """Streamlit would show it."""
    for path in sorted((ROOT / "dashboards" / "views").glob("*.py")):
        alone = [
            node.lineno
            for node in ast.parse(path.read_text("utf-8")).body[1:]
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        ]
        assert not alone, path
