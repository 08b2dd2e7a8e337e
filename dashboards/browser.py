"""What the visitor's own browser remembers: the language that was chosen, the name that was given where there
is no login, and the way through the login.

The login ends at the pages' root. So the page that asks for it notes in the tab's session storage where
the visitor wanted to go, and the first page after it goes there. What is noted is a path of these pages,
written and read by them alone: no link can bring anybody elsewhere.
"""

from __future__ import annotations

from typing import Final, Literal
from urllib.parse import unquote

import streamlit as st

LANGUAGE_COOKIE: Final = "tienlen_lang"
NAME_COOKIE: Final = "tienlen_name"

SCRIPT: Final = """
const PLACE = "tienlen-place";
const MINUTES = 10;
const YEAR = 365 * 24 * 60 * 60;
const keep = (cookie, value, seconds) => {
  document.cookie = `${cookie}=${encodeURIComponent(value)}; path=/; max-age=${seconds}; samesite=lax`;
};
export default function ({ data }) {
  const here = new URL(window.location.href);
  if (data.language) keep("tienlen_lang", data.language, YEAR);
  if (data.name !== null) keep("tienlen_name", data.name, data.name ? YEAR : 0);
  if (data.place === "keep") {
    const asked = [...here.searchParams.keys()].some((key) => key !== "lang");
    // Back from a login that failed there is no wish in the address: the older one still stands.
    if (asked || !data.home) {
      const note = { path: here.pathname + here.search, at: Date.now() };
      sessionStorage.setItem(PLACE, JSON.stringify(note));
    }
  } else if (data.place === "resume") {
    const note = JSON.parse(sessionStorage.getItem(PLACE) || "null");
    sessionStorage.removeItem(PLACE);
    if (note === null || Date.now() - note.at > MINUTES * 60 * 1000) return;
    const there = new URL(note.path, here.origin);
    if (there.origin === here.origin && there.href !== here.href) window.location.replace(there.href);
  }
}
"""


def remember(
    language: str | None, name: str | None, place: Literal["keep", "resume"] | None, *, home: bool
) -> None:
    """Has the browser keep a language that was chosen and a name that was given (empty: taken back), and note
    where the visitor is, or go back there.

    ``home`` says whether this is the page that visitors come to by themselves.
    """
    if (language, name, place) != (None, None, None):
        component = st.components.v2.component("tienlen_browser", js=SCRIPT)
        component(data={"language": language, "name": name, "place": place, "home": home}, key="browser")


def remembered_language() -> str | None:
    """What the browser tells of an earlier choice, unchecked."""
    return st.context.cookies.get(LANGUAGE_COOKIE)


def remembered_name() -> str:
    """The name that the browser tells, unchecked; empty where it tells none."""
    return unquote(st.context.cookies.get(NAME_COOKIE, ""))
