"""Somebody who looks at the pages, or at a file, in a real browser."""

from __future__ import annotations

from typing import Any, Final

READY: Final = "[data-testid=stApp][data-test-script-state=notRunning]"


class Reader:
    """Somebody at a browser, who would notice an error in its console and a request to elsewhere."""

    def __init__(self, browser: Any, server: str, locale: str = "vi-VN", width: int = 1280) -> None:
        self.server = server
        self.troubles: list[str] = []
        self.context = browser.new_context(locale=locale, viewport={"width": width, "height": 844})
        self.page = self.context.new_page()
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
        self.settle()  # what the browser remembers makes the page run a second time

    def settle(self) -> None:
        self.page.wait_for_timeout(200)
        self.page.wait_for_selector(READY)
        self.page.wait_for_timeout(200)

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
