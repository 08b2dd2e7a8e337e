"""The login in a real browser, against a real OpenID Connect provider; all of it on the loopback."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import pytest

from analyzer.locale import translate
from analyzer.store.club_days import SETTING
from analyzer.store.database import Database
from analyzer.store.journal import Journal
from analyzer.store.roles import give
from dashboards.access import SESSION
from tests.browser.club import CLUB, FLAGGED, logs, make_club
from tests.browser.reader import listen, settle
from tests.browser.serving import free_port, serving

provider_mock = pytest.importorskip("oidc_provider_mock", reason="oidc-provider-mock is not installed")
pytestmark = pytest.mark.browser

ROOT: Final = Path(__file__).parents[2]
SECRET: Final = "a secret of this test and of nothing else, long enough"
COOKIE: Final = "_streamlit_user"
DEEP: Final = f"/replay?hand={FLAGGED['hand_id']}&club={CLUB}&event=4"
STRAY: Final = "/replay?hand=l%E1%BA%A1c"
"""A hand that belongs to no club."""

ORGANISER, VIEWER, STRANGER, UNPROVEN = (
    f"{name}@example.com" for name in ("to-chuc", "xem", "la", "chua-ro")
)


@pytest.fixture(scope="module")
def provider() -> Iterator[str]:
    """The address of the provider; it believes whoever says who he is."""
    people = [
        provider_mock.User(sub=email, claims={"email": email, "email_verified": email != UNPROVEN})
        for email in (ORGANISER, VIEWER, STRANGER, UNPROVEN)
    ]
    with provider_mock.run_server_in_thread(user_claims=people) as server:
        yield f"http://localhost:{server.server_port}"


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Database:
    found = Database(make_club(tmp_path_factory.mktemp("login")))
    give(found, ORGANISER, "organiser", [], "test")
    give(found, VIEWER, "viewer", [CLUB], "test")
    return found


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, provider: str, database: Database) -> Iterator[str]:
    """The address of `tienlen serve --auth`."""
    folder = tmp_path_factory.mktemp("served")
    port = free_port()
    address = f"http://localhost:{port}"
    auth = folder / "auth.toml"
    auth.write_text(
        f'[auth]\nredirect_uri = "{address}/oauth2callback"\ncookie_secret = "{SECRET}"\n'
        'client_id = "tienlen"\nclient_secret = "not looked at by this provider"\n'
        f'server_metadata_url = "{provider}/.well-known/openid-configuration"\n'
    )
    auth.chmod(0o600)
    with serving(folder, database.path, "--auth", str(auth), port=port):
        yield address
    told = (folder / "server.log").read_text("utf-8")
    assert SECRET not in told
    assert "not looked at" not in told


class Visitor:
    """Somebody at a browser."""

    def __init__(self, context: Any, server: str) -> None:
        self.server = server
        self.context = context
        self.page = listen(context.new_page())

    def open(self, path: str) -> None:
        self.page.goto(self.server + path)
        self.settle()

    def settle(self) -> None:
        settle(self.page)

    def table(self) -> None:
        """Waits for the table of a replay."""
        self.page.locator("[data-part=position]").wait_for()

    def shows(self, text: str, lang: str = "vi") -> bool:
        return translate(text, lang) in str(self.page.locator("body").inner_text())

    def press(self, text: str) -> None:
        self.page.get_by_role("button", name=translate(text, "vi"), exact=False).click()

    def log_in(self, email: str) -> None:
        """Through the button, and the provider's own form, and back."""
        self.press("Log in")
        self.page.get_by_placeholder("sub").fill(email)
        self.page.get_by_role("button", name="Authorize", exact=True).click()
        self.page.wait_for_url(f"{self.server}/**")
        self.settle()
        self.page.wait_for_timeout(800)  # the way on to where the visitor wanted to go
        self.settle()

    def show_sidebar(self) -> None:
        """On a phone it is closed, unless this browser remembers otherwise."""
        if (button := self.page.get_by_test_id("stExpandSidebarButton")).count():
            button.click()

    def address(self) -> tuple[str, dict[str, list[str]]]:
        found = urlsplit(self.page.url)
        return found.path, parse_qs(found.query)

    def has_cookie(self, payload: dict[str, Any], secret: str = SECRET) -> None:
        """Gives this browser a login cookie that the secret signs."""
        from streamlit.web.server.starlette.starlette_app_utils import create_signed_value

        told = json.dumps({"origin": self.server, "is_logged_in": True, "provider": "default", **payload})
        signed = create_signed_value(secret, COOKIE, told).decode()
        self.context.add_cookies([{"name": COOKIE, "value": signed, "url": self.server}])


@pytest.fixture(scope="module")
def context(browser: Any) -> Any:
    """A phone; it keeps what it has loaded once, and nothing of whoever used it before."""
    return browser.new_context(locale="vi-VN", viewport={"width": 390, "height": 844})


@pytest.fixture
def visitor(context: Any, server: str) -> Iterator[Visitor]:
    context.clear_cookies()
    found = Visitor(context, server)
    yield found
    found.page.close()


LOGIN: Final = "These are a club's records. Log in to see them."
EXPIRED: Final = "Your login has expired. Log in again to go on where you were."
ASK: Final = "You have no access yet. Ask your club's organiser to give it to this address:"


def claims(email: str, age: float = 0) -> dict[str, Any]:
    return {"email": email, "email_verified": True, "iat": int(time.time() - age)}


@pytest.mark.parametrize("path", ["/", DEEP])
def test_without_a_login_nothing_is_seen(visitor: Visitor, path: str) -> None:
    visitor.open(path)
    assert visitor.shows(LOGIN)
    assert "VND" not in visitor.page.content() and FLAGGED["hand_id"] not in visitor.page.inner_text("body")
    assert visitor.page.locator("[data-testid=stSidebarNav]").count() == 0


def test_a_deep_link_survives_the_login(visitor: Visitor) -> None:
    visitor.open(f"{DEEP}&lang=en")
    visitor.page.get_by_role("button", name="Log in").click()
    visitor.page.get_by_placeholder("sub").fill(ORGANISER)
    visitor.page.get_by_role("button", name="Authorize", exact=True).click()
    visitor.page.wait_for_url(f"{visitor.server}/replay?**")
    visitor.settle()
    path, query = visitor.address()
    assert path == "/replay"
    assert query == {"hand": [FLAGGED["hand_id"]], "club": [CLUB], "event": ["4"], "lang": ["en"]}
    assert str(visitor.page.locator("[data-part=position]").inner_text()) == "5 / 7"


def test_an_organiser_sees_all_and_decides_under_the_address(visitor: Visitor, database: Database) -> None:
    visitor.open("/settings")
    visitor.log_in(ORGANISER)
    assert visitor.address()[0] == "/settings"
    assert visitor.shows("Who may see and decide")
    assert VIEWER in visitor.page.inner_text("body")
    zone = visitor.page.get_by_role("combobox").last
    zone.click()
    visitor.page.keyboard.type("Asia/Tokyo")
    visitor.page.keyboard.press("Enter")
    visitor.press("Save")
    visitor.settle()
    (entry, *_) = Journal(database).entries(SETTING)
    assert entry.by == ORGANISER
    visitor.open(STRAY)
    visitor.table()


def test_a_viewer_sees_the_own_club_and_decides_nothing(visitor: Visitor) -> None:
    visitor.open("/")
    visitor.log_in(VIEWER)
    assert str(len(logs()) - 1) in visitor.page.inner_text("body")
    visitor.open(STRAY)
    assert visitor.page.locator("[data-part=position]").count() == 0
    visitor.open("/settings")
    assert visitor.shows("The club's day")
    assert not visitor.shows("Who may see and decide")
    assert visitor.page.get_by_role("button", name=translate("Save", "vi")).count() == 0
    assert ORGANISER not in visitor.page.inner_text("body")


def test_somebody_without_a_role_is_told_whom_to_ask_and_can_change_the_account(visitor: Visitor) -> None:
    visitor.open(DEEP)
    visitor.log_in(STRANGER)
    assert visitor.shows(ASK)
    assert STRANGER in visitor.page.inner_text("body")
    assert FLAGGED["hand_id"] not in visitor.page.content()
    visitor.press("Log in with another account")
    visitor.page.wait_for_timeout(1500)
    visitor.open("/")
    visitor.log_in(VIEWER)
    visitor.table()  # the first link is still opened


def test_an_address_that_the_provider_does_not_vouch_for_is_nobodys(
    visitor: Visitor, database: Database
) -> None:
    give(database, UNPROVEN, "organiser", [], "test")
    visitor.open("/")
    visitor.log_in(UNPROVEN)
    assert (
        visitor.shows("Confirm it there, or log in with another account.")
        or visitor.page.get_by_text(translate("Log in with another account", "vi")).count()
    )
    assert visitor.page.locator("[data-testid=stSidebarNav]").count() == 0


def test_a_role_taken_away_is_gone_on_the_next_page(visitor: Visitor, database: Database) -> None:
    somebody = "tam@example.com"
    give(database, somebody, "viewer", [CLUB], "test")
    visitor.has_cookie(claims(somebody))
    visitor.open("/?lang=vi")
    assert not visitor.shows(ASK)
    give(database, somebody, "none", [], "test")
    visitor.open("/players?lang=vi")
    visitor.page.get_by_text(translate(ASK, "vi")).first.wait_for()


def test_a_login_of_long_ago_has_expired(visitor: Visitor) -> None:
    visitor.has_cookie(claims(ORGANISER, SESSION - 60))
    visitor.open(DEEP)
    visitor.table()
    visitor.has_cookie(claims(ORGANISER, SESSION + 1))
    visitor.open(DEEP)
    assert visitor.shows(EXPIRED)
    visitor.log_in(ORGANISER)
    assert visitor.page.locator("[data-part=position]").inner_text() == "5 / 7"


@pytest.mark.parametrize("secret", ["", "x" * 60])
def test_a_forged_cookie_opens_nothing(visitor: Visitor, secret: str) -> None:
    visitor.has_cookie(claims(ORGANISER), secret or SECRET)
    if secret == "":  # signed rightly, and changed afterwards
        (cookie,) = visitor.context.cookies()
        half = len(cookie["value"]) // 2
        letter = "A" if cookie["value"][half] != "A" else "B"
        value = cookie["value"][:half] + letter + cookie["value"][half + 1 :]
        visitor.context.add_cookies([{"name": COOKIE, "value": value, "url": visitor.server}])
    visitor.open(DEEP)
    assert visitor.shows(LOGIN)


@pytest.mark.full
def test_logging_out_ends_it(visitor: Visitor) -> None:
    visitor.open("/")
    visitor.log_in(VIEWER)
    visitor.show_sidebar()
    visitor.press("Log out")
    visitor.page.wait_for_timeout(1500)
    visitor.open(DEEP)
    assert visitor.shows(LOGIN)


@pytest.mark.parametrize("path", ["//evil.example/x", "https://evil.example/"])
def test_what_is_noted_for_after_the_login_leads_nowhere_else(visitor: Visitor, path: str) -> None:
    visitor.has_cookie(claims(VIEWER))
    visitor.page.add_init_script(
        f"if (!sessionStorage.tried) {{ sessionStorage.tried = 1; sessionStorage.setItem("
        f"'tienlen-place', JSON.stringify({{path: {json.dumps(path)}, at: Date.now()}})) }}"
    )
    visitor.open("/")
    assert urlsplit(visitor.page.url).netloc == urlsplit(visitor.server).netloc
    visitor.page.wait_for_function("sessionStorage.getItem('tienlen-place') === null")
    assert urlsplit(visitor.page.url).netloc == urlsplit(visitor.server).netloc


@pytest.mark.full
def test_a_chosen_language_is_remembered_on_the_next_visit(visitor: Visitor) -> None:
    visitor.open("/")
    visitor.show_sidebar()
    visitor.page.get_by_text("English").click()
    visitor.settle()
    visitor.open("/")
    assert visitor.shows(LOGIN, "en")
    visitor.open("/?lang=vi")
    assert visitor.shows(LOGIN, "vi")
    visitor.open("/")
    assert visitor.shows(LOGIN, "en"), "a link in another language does not change what was chosen"
