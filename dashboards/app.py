"""The dashboards: ``TIENLEN_DB=club-db streamlit run dashboards/app.py``. Navigation and nothing else."""

from importlib import import_module
from pathlib import Path

import streamlit as st

from analyzer.locale import N_
from dashboards.access import GIVEN, Refused, login_is_set_up, visitor
from dashboards.browser import remember
from dashboards.door import show_visitor, turn_away
from dashboards.words import choose_language, say

# File in `views/` → title and icon, in the order of the menu; the first is the one a visitor comes to.
PAGES = {
    "hands": (N_("Hands"), "playing_cards"),
    "replay": (N_("Replay"), "play_circle"),
    "entry": (N_("Enter a hand"), "edit_note"),
    "players": (N_("Players"), "group"),
    "money": (N_("Money"), "payments"),
    "violations": (N_("Violations"), "flag"),
    "cases": (N_("Rulings"), "balance"),
    "health": (N_("Data health"), "health_and_safety"),
    "rules": (N_("House rules"), "gavel"),
    "settings": (N_("Settings"), "settings"),
}

import_module("pandas")  # before two of Streamlit's threads import it at a time
st.set_page_config(page_title="Tiến Lên", page_icon="🃏", layout="wide")
st.html(Path(__file__).with_name("pages.css"))
st.html(
    f"<script>{Path(__file__).with_name('back.js').read_text('utf-8')}</script>", unsafe_allow_javascript=True
)
chosen = choose_language()
found = visitor()
# Somebody who may not see a page keeps its address all the same, to come back to it after the login.
page = st.navigation(
    [
        st.Page(f"views/{name}.py", title=say(title), icon=f":material/{icon}:", default=name == "hands")
        for name, (title, icon) in PAGES.items()
    ],
    position="hidden" if isinstance(found, Refused) else "sidebar",
)
if isinstance(found, Refused):
    remember(chosen, None, "keep", home=not page.url_path)
    turn_away(found)
else:
    show_visitor(found)
    name = None if login_is_set_up() else st.session_state.get(GIVEN)
    remember(chosen, name, "resume" if login_is_set_up() else None, home=not page.url_path)
    page.run()
