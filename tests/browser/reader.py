"""Somebody who looks at the pages, or at a file, in a real browser."""

from __future__ import annotations

from typing import Any, Final

LISTENING: Final = """
window.wire = { asked: 0, told: 0, drawn: 0, late: 0 };
new MutationObserver(() => (window.wire.drawn = performance.now()))
  .observe(document, { childList: true, characterData: true, subtree: true });
const Wire = window.WebSocket;
window.WebSocket = class extends Wire {
  send(message) {
    window.wire.asked = performance.now();
    super.send(message);
  }
  addEventListener(name, listener, options) {
    super.addEventListener(name, name === "message" ? this.heard(listener) : listener, options);
  }
  set onmessage(listener) {
    super.onmessage = this.heard(listener);
  }
  heard(listener) {
    const hear = (message) => {
      window.wire.told = performance.now();
      listener(message);
    };
    return (message) => (window.wire.late ? setTimeout(hear, window.wire.late, message) : hear(message));
  }
};
"""
"""Notes when the page last asked the server something, last heard from it and last drew something; ``late`` is a
slow line's delay."""

READY: Final = "[data-testid=stApp][data-test-script-state=notRunning]"

SETTLED: Final = f"""
() => window.wire.told > 0 && window.wire.told >= window.wire.asked
  && performance.now() - Math.max(window.wire.told, window.wire.drawn) > 300
  && document.querySelector("{READY}") !== null
"""


def listen(page: Any) -> Any:
    """A page whose words with the server are noted, from before it opens anything."""
    page.add_init_script(LISTENING)
    return page


def settle(page: Any) -> None:
    """Waits until a page has asked all that it will ask by itself, and drawn the answers."""
    page.wait_for_timeout(200)
    page.wait_for_function(SETTLED)


_free: Final[dict[tuple[Any, str], list[Any]]] = {}
"""Browser and locale → pages that nobody looks at. A new one costs more of the processor than a whole test: it
starts a process, and reads all scripts anew."""


REACHED: Final = """
(start) => {
  if (start) window.reached = [start];
  let here = document.activeElement;
  while (here?.shadowRoot?.activeElement) here = here.shadowRoot.activeElement;
  const inside = reached[0].closest(".tl").contains(here);
  if (inside) reached.push(here);
  return inside;
}
"""
"""Whether the focus is in the component of the control that it was told first; keeps what was focused."""

UNREACHED: Final = """
() => [...reached[0].closest(".tl").querySelectorAll("button, a[href], input, select, textarea, summary")]
  .filter((node) => node.checkVisibility({ visibilityProperty: true }) && !reached.includes(node))
  .map((node) => node.dataset.card ? "a card" : node.outerHTML)
"""

UNSEEN: Final = """
() => {
  const here = reached.at(-1);
  return getComputedStyle(here).outlineStyle === "solid" ? "" : here.outerHTML;
}
"""


class Reader:
    """Somebody at a browser, who would notice an error in its console and a request to elsewhere."""

    def __init__(self, browser: Any, server: str, locale: str = "vi-VN", width: int = 1280) -> None:
        self.server = server
        self.troubles: list[str] = []
        self.place = browser, locale
        free = _free.setdefault(self.place, [])
        self.page = free.pop() if free else listen(browser.new_context(locale=locale).new_page())
        self.context = self.page.context
        self.page.set_viewport_size({"width": width, "height": 844})
        self.noticed = {
            "pageerror": lambda error: self.troubles.append(str(error)),
            "dialog": lambda dialog: self.troubles.append(f"dialog: {dialog.message}"),
            "console": self._console,
            "request": self._request,
        }
        for event, notice in self.noticed.items():
            self.page.on(event, notice)

    def leave(self) -> None:
        """Leaves the page as if nobody had been there; fails where there was trouble."""
        if self.page.url.startswith("http"):
            self.page.evaluate("localStorage.clear(); sessionStorage.clear()")
        for event, notice in self.noticed.items():
            self.page.remove_listener(event, notice)
        self.page.goto("about:blank")
        self.page.emulate_media(color_scheme="null")
        self.context.set_offline(False)
        self.context.clear_cookies()
        self.context.clear_permissions()
        _free[self.place].append(self.page)
        assert not self.troubles

    def _console(self, message: Any) -> None:
        # Opened below its root, Streamlit's client first looks for the server under the page's own path.
        probe = "/_stcore/" in message.location.get("url", "")
        if message.type == "error" and not probe:
            self.troubles.append(message.text)

    def _request(self, request: Any) -> None:
        if not request.url.startswith((self.server, self.server.replace("http", "ws"), "data:", "blob:")):
            self.troubles.append(f"request to {request.url}")

    def open(self, path: str) -> None:
        self.page.goto(self.server + path)
        self.settle()

    def settle(self) -> None:
        settle(self.page)

    def text(self, part: str) -> str:
        """What a part of the replay table says, once it is drawn."""
        self.page.locator("[data-part=sentence]:not(:empty)").wait_for()
        return str(self.page.locator(f"[data-part={part}]").inner_text())

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def tab_from(self, first: str) -> tuple[list[str], list[str]]:
        """Presses Tab from the first control of a component to its end: what was not reached, what not outlined."""
        start = self.page.locator(first)
        start.focus()
        start.evaluate(REACHED)
        unseen = []
        for _ in range(300):
            self.page.keyboard.press("Tab")
            if not self.page.evaluate(REACHED):
                break
            unseen.append(self.page.evaluate(UNSEEN))
        return self.page.evaluate(UNREACHED), list(filter(None, unseen))

    def event(self) -> str | None:
        """The event in the address, which follows when the steps pause."""
        found: str | None = None
        for _ in range(100):
            found = self.page.evaluate("new URL(location.href).searchParams.get('event')")
            if self.text("position").split()[0] == (str(int(found) + 1) if found else "–"):
                break
            self.page.wait_for_timeout(50)
        return found
