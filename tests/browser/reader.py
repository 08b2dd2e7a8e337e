"""Somebody who looks at the pages, or at a file, in a real browser."""

from __future__ import annotations

from typing import Any, Final

LISTENING: Final = """
window.wire = { asked: 0, told: 0, late: 0 };
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
"""Notes when the page last asked the server something and last heard from it; ``late`` is a slow line's delay."""

READY: Final = "[data-testid=stApp][data-test-script-state=notRunning]"

SETTLED: Final = f"""
() => window.wire.told >= window.wire.asked
  && performance.now() - window.wire.told > 300
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


class Reader:
    """Somebody at a browser, who would notice an error in its console and a request to elsewhere."""

    def __init__(self, browser: Any, server: str, locale: str = "vi-VN", width: int = 1280) -> None:
        self.server = server
        self.troubles: list[str] = []
        self.context = browser.new_context(locale=locale, viewport={"width": width, "height": 844})
        self.page = listen(self.context.new_page())
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("dialog", lambda dialog: self.troubles.append(f"dialog: {dialog.message}"))
        self.page.on("console", self._console)
        self.page.on("request", self._request)

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

    def event(self) -> str | None:
        """The event in the address, which follows when the steps pause."""
        found: str | None = None
        for _ in range(100):
            found = self.page.evaluate("new URL(location.href).searchParams.get('event')")
            if self.text("position").split()[0] == (str(int(found) + 1) if found else "–"):
                break
            self.page.wait_for_timeout(50)
        return found
