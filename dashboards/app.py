"""The dashboards: ``TIENLEN_DB=club-db streamlit run dashboards/app.py``. Navigation and nothing else."""

from importlib import import_module
from pathlib import Path

import streamlit as st

from analyzer.locale import N_
from dashboards.words import choose_language, say

import_module("pandas")  # before two of Streamlit's threads import it at a time
st.set_page_config(page_title="Tiến Lên", page_icon="🃏", layout="wide")
st.html(Path(__file__).with_name("pages.css"))
choose_language()
page = st.navigation(
    [
        st.Page("views/hands.py", title=say(N_("Hands")), icon=":material/playing_cards:", default=True),
        st.Page("views/replay.py", title=say(N_("Replay")), icon=":material/play_circle:"),
        st.Page("views/money.py", title=say(N_("Money")), icon=":material/payments:"),
        st.Page("views/rules.py", title=say(N_("House rules")), icon=":material/gavel:"),
    ]
)
page.run()
