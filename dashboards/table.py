"""The replay table as a Streamlit component: a hand is sent once, and stepped through in the browser."""

from __future__ import annotations

from typing import Any, Final

import streamlit as st

from analyzer.reports.table_view import assets, labels

MOUNT: Final = """
// Streamlit calls this again after each run of the page: the same hand then only changes its language.
const mounted = new WeakMap();
let waiting;
function linkTo(k) {
  const address = new URL(window.location.href);
  if (k < 0) address.searchParams.delete("event");
  else address.searchParams.set("event", k);
  return address.href;
}
function tryAt(k) {
  const here = new URL(window.location.href);
  const there = new URL("entry", here);
  for (const [key, value] of here.searchParams) there.searchParams.set(key, value);
  there.searchParams.set("event", k);
  window.location.assign(there);
}
function keepAddress(k) {
  clearTimeout(waiting);
  // Not at each step: a key held down makes more of them than browsers let anybody write addresses.
  waiting = setTimeout(() => window.history.replaceState(window.history.state, "", linkTo(k)), 120);
}
export default function ({ parentElement, data }) {
  const { view, lang, event, labels } = data;
  const hand = view.hand.content_sha256 + view.hand.rules.sha256;
  let table = mounted.get(parentElement);
  if (table?.hand === hand) {
    if (table.asked !== event) table.at = event;
    table.asked = event;
    table.show(lang, table.at);
    // The run has put its own idea of the address back, and knows nothing of the steps since.
    keepAddress(table.at);
  } else {
    clearTimeout(waiting);
    table?.destroy();
    table = { hand, asked: event, at: event };
    const onEvent = (k) => keepAddress((table.at = k));
    Object.assign(table, mountTable(parentElement, view, { lang, event, labels, linkTo, onEvent, tryAt }));
    mounted.set(parentElement, table);
  }
  return () => {
    clearTimeout(waiting);
    table.destroy();
    mounted.delete(parentElement);
  };
}
"""


def replay_table(view: dict[str, Any], lang: str, event: int) -> None:
    """Draws a hand at an event (-1: the deal); the reader's steps move ``?event=`` in the address."""
    html, css, js = assets()
    component = st.components.v2.component("tienlen_table", html=html, css=css, js=js + MOUNT)
    component(data={"view": view, "lang": lang, "event": event, "labels": labels()}, key="table")
