"""Who may see what: roles, the login file, where the pages are served, and pages that show some clubs only."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import pytest
from click.testing import CliRunner
from streamlit.testing.v1 import AppTest

from analyzer.auth_file import KEYS, AuthFault, read_auth
from analyzer.cli import cli
from analyzer.locale import LANGUAGES, translate
from analyzer.logs.canonical import content_sha256
from analyzer.logs.codes import code_of
from analyzer.logs.reading import read
from analyzer.serving import CannotServe, check_host, command, run_dashboards
from analyzer.store.database import Database, DatabaseError
from analyzer.store.journal import Journal
from analyzer.store.reader import Reader, open_reader
from analyzer.store.restricted import open_restricted
from analyzer.store.roles import RoleRefused, address, give, roles
from dashboards.access import SESSION, account_name, given_name, restricted_name, split_name
from dashboards.browser import NAME_COOKIE
from dashboards.door import WHY
from tests.browser.club import CLUB, FLAGGED, HOSTILE, logs, make_club

APP: Final = str(Path(__file__).parents[1] / "dashboards" / "app.py")
AN: Final = "an@example.com"
SECRET: Final = "5" * 40


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_club(tmp_path_factory.mktemp("access"))


@pytest.fixture
def database(tmp_path: Path) -> Database:
    found = Database(tmp_path / "db")
    with found.lock():
        pass
    return found


# -- roles -----------------------------------------------------------------------------------------


def now(database: Database) -> dict[str, tuple[str, set[str]]]:
    found = roles(Journal(database).entries())
    return {email: (role.name, set(role.clubs)) for email, role in found.items()}


def test_the_last_entry_about_an_address_counts(database: Database) -> None:
    give(database, AN, "viewer", ["b", "a", "a"], "x")
    assert now(database) == {AN: ("viewer", {"a", "b"})}
    give(database, "An@Example.com ", "organiser", [], "x")
    assert now(database) == {AN: ("organiser", set())}
    give(database, AN, "none", [], "x")
    assert now(database) == {}


def test_who_gave_a_role_is_kept(database: Database) -> None:
    entry = give(database, AN, "organiser", [], "Thủ quỹ")
    role = roles(Journal(database).entries())[AN]
    assert (role.by, role.at) == ("Thủ quỹ", entry.at)


@pytest.mark.parametrize(
    ("email", "name", "clubs"),
    [
        ("an", "organiser", []),
        ("аn@example.com", "organiser", []),  # the first letter is Cyrillic
        ("an@example.com\n", "viewer", []),
        (AN, "viewer", []),
        (AN, "organiser", ["a"]),
        (AN, "none", []),
    ],
)
def test_a_role_that_makes_no_sense_is_refused(
    database: Database, email: str, name: Any, clubs: list[str]
) -> None:
    with pytest.raises(RoleRefused):
        give(database, email, name, clubs, "x")
    assert Journal(database).entries() == ()


@pytest.mark.parametrize(
    "data",
    [
        {"email": AN, "role": "admin"},
        {"email": AN, "role": ["organiser"]},
        {"email": AN, "role": "viewer", "clubs": "abc"},
        {"email": AN},
    ],
)
def test_an_entry_that_cannot_be_read_takes_the_role_away(database: Database, data: dict[str, Any]) -> None:
    give(database, AN, "organiser", [], "x")
    Journal(database).append("role", data, "x")
    assert now(database) == {}


def test_roles_are_for_a_database_that_is_there(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError):
        give(Database(tmp_path / "none"), AN, "organiser", [], "x")
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    "text", ["", "@", "a@", "a`b@c", "a b@c", "a@b@c", "\u212a@example.com", None, 7, "a" * 300 + "@b"]
)
def test_what_is_no_address_is_nobodys(text: object) -> None:
    assert address(text) is None


def test_access_commands_give_list_and_take(database: Database) -> None:
    def run(*words: str) -> str:
        done = CliRunner().invoke(cli, ["access", *words, "--db", str(database.path), "--lang", "en"])
        assert done.exit_code == 0, done.output
        return done.output

    assert "Nobody has a role yet" in run("list")
    assert run("grant", AN, "--role", "viewer", "--club", "a") == f"{AN}: viewer, from now on.\n"
    assert re.search(rf"{AN} .* \d\d:\d\d UTC ", run("list"))
    assert run("revoke", AN) == f"{AN}: no role, from now on.\n"
    assert AN not in run("list")
    done = CliRunner().invoke(cli, ["access", "revoke", AN, "--db", str(database.path), "--lang", "en"])
    assert done.exit_code != 0
    assert "nothing to take away" in done.output


# -- the login file --------------------------------------------------------------------------------

GOOD: Final = {
    "redirect_uri": "https://bai.example.com/oauth2callback",
    "cookie_secret": SECRET,
    "client_id": "tienlen",
    "client_secret": "geheim",
    "server_metadata_url": "https://accounts.example.com/.well-known/openid-configuration",
}


def auth_file(folder: Path, text: str | None = None, **changed: str | None) -> Path:
    file = folder / "auth.toml"
    told = {key: value for key, value in {**GOOD, **changed}.items() if value is not None}
    lines = [f'{key} = "{value}"' for key, value in told.items()]
    file.write_text(text if text is not None else "\n".join(["[auth]", *lines]), "utf-8")
    file.chmod(0o600)
    return file


def test_a_login_file_tells_where_visitors_come(tmp_path: Path) -> None:
    found = read_auth(auth_file(tmp_path))
    assert (found.host, found.address) == ("bai.example.com", "https://bai.example.com")


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o602, 0o660, 0o777])
def test_a_login_file_that_others_can_read_is_refused_with_the_remedy(tmp_path: Path, mode: int) -> None:
    file = auth_file(tmp_path)
    file.chmod(mode)
    with pytest.raises(AuthFault, match=f"chmod 600 {file}"):
        read_auth(file)


@pytest.mark.parametrize("key", KEYS)
def test_a_login_file_needs_every_key(tmp_path: Path, key: str) -> None:
    for value in (None, ""):
        with pytest.raises(AuthFault, match=key):
            read_auth(auth_file(tmp_path, **{key: value}))


@pytest.mark.parametrize(
    "changed",
    [
        {"redirect_uri": "http://bai.example.com/oauth2callback"},
        {"redirect_uri": "https://bai.example.com/"},
        {"redirect_uri": "https://bai.example.com/oauth2callback#x"},
        {"redirect_uri": "https://a:b@bai.example.com/oauth2callback"},
        {"redirect_uri": "https://[/oauth2callback"},
        {"redirect_uri": "https://x:99999/oauth2callback"},
        {"server_metadata_url": "http://accounts.example.com/"},
        {"server_metadata_url": "file:///etc/passwd"},
        {"cookie_secret": "short"},
        {"clientid": "x"},
    ],
)
def test_a_login_file_that_would_not_be_safe_is_refused(tmp_path: Path, changed: dict[str, str]) -> None:
    with pytest.raises(AuthFault):
        read_auth(auth_file(tmp_path, **changed))


def test_no_fault_of_a_login_file_shows_a_value_of_it(tmp_path: Path) -> None:
    secret = "rất bí mật"
    texts = [
        f'[auth]\ncookie_secret = "{secret}"',
        f'[auth]\ncookie_secret = "{secret}',
        f"[auth]\ncookie_secret = {secret}",
        f'cookie_secret = "{secret}"',
        f'[auth]\nclient_secret = "{secret}"\nclient_secret = "{secret}"',
        f'[auth]\n[other]\nx = "{secret}"',
    ]
    for text in texts:
        with pytest.raises(AuthFault) as fault:
            read_auth(auth_file(tmp_path, text))
        for lang in LANGUAGES:
            told = fault.value.message.render(lang)
            assert secret not in told and secret.split()[0] not in told
            assert str(tmp_path) in told


def test_a_login_file_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir(mode=0o700)
    big = auth_file(tmp_path, "#" * 70_000)
    for path in (tmp_path / "none", tmp_path / "folder", big, Path("/dev/null")):
        with pytest.raises(AuthFault):
            read_auth(path)


# -- where the pages are served ----------------------------------------------------------------------


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.7", "100.64.0.1", "fe80::1"])
def test_an_address_that_others_reach_needs_a_login(
    club: Path, tmp_path: Path, host: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_dashboards(club, 8599, "en", host) == 2
    assert f"Others can reach {host}, and there is no login" in capsys.readouterr().err
    check_host(host, read_auth(auth_file(tmp_path)))


@pytest.mark.parametrize("host", ["127.0.0.1", "127.3.2.1", "::1", "localhost"])
def test_the_loopback_needs_no_login(host: str) -> None:
    check_host(host, None)


@pytest.mark.parametrize("host", ["", "example.com", "127.0.0.1:80", "localhost.example.com", "127.1"])
def test_a_host_that_is_no_address_is_refused(host: str) -> None:
    with pytest.raises(CannotServe):
        check_host(host, None)


def test_a_bad_login_file_starts_nothing(
    club: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = auth_file(tmp_path, cookie_secret="short")
    assert run_dashboards(club, 8599, "en", "0.0.0.0", file) == 2
    assert "cookie_secret is shorter than 32" in capsys.readouterr().err


def test_what_guards_the_pages_is_told_to_the_server_outright(tmp_path: Path) -> None:
    told = command("127.0.0.1", 8501, None)
    flags = list(pairwise(told))
    for flag in [
        ("--server.address", "127.0.0.1"),
        ("--server.enableXsrfProtection", "true"),
        ("--server.enableCORS", "true"),
        ("--server.trustedUserHeaders", "{}"),
        ("--server.allowedHosts", "localhost"),
        ("--client.showErrorDetails", "none"),
    ]:
        assert flag in flags
    assert "--secrets.files" not in told
    auth = read_auth(auth_file(tmp_path))
    told = command("0.0.0.0", 8501, auth)
    assert ("--server.allowedHosts", "bai.example.com") in list(pairwise(told))
    assert SECRET not in " ".join(told)


# -- some clubs only ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def every(club: Path) -> Iterator[Reader]:
    with open_reader(Database(club)) as reader:
        yield reader


def relations(reader: Reader) -> dict[str, bool]:
    """Relation → whether it tells the club."""
    rows = reader.rows(
        "SELECT table_name AS name, bool_or(column_name = 'club_id') AS club FROM duckdb_columns() "
        "WHERE NOT internal AND schema_name = 'main' AND database_name = current_database() GROUP BY ALL"
    )
    return {row["name"]: row["club"] for row in rows}


@pytest.mark.parametrize("clubs", [{CLUB}, {""}, {CLUB, ""}, {"x' OR true --"}, set()])
def test_no_relation_shows_another_club(club: Path, every: Reader, clubs: set[str]) -> None:
    with open_restricted(Database(club), Database(club).current(), frozenset(clubs)) as reader:
        for name, has_club in relations(every).items():
            shown = reader.frame(f"FROM {name}").to_dicts()
            if has_club:
                known = every.frame(f"FROM {name}").to_dicts()
                assert len(shown) == len([row for row in known if row["club_id"] in clubs]), name
                assert {row["club_id"] for row in shown} <= clubs
            elif name == "rule_sets":
                played = {row["rules_id"] for row in reader.rows("SELECT DISTINCT rules_id FROM hands")}
                assert {row["id"] for row in shown} == played
            else:
                assert shown == [] or name == "superseded", f"{name} tells of all clubs"


def test_a_relation_that_knows_no_club_is_empty_rather_than_open(club: Path, every: Reader) -> None:
    assert every.rows("FROM sources")
    with open_restricted(Database(club), Database(club).current(), frozenset({CLUB})) as reader:
        assert reader.rows("FROM sources") == []
        assert reader.rows("FROM readings") == []


@pytest.mark.parametrize(
    "clubs", [None, frozenset[str](), frozenset({""}), frozenset({"a b", "c", "../only"})]
)
def test_the_name_of_a_version_says_for_whom_it_is(clubs: frozenset[str] | None) -> None:
    name = restricted_name("00000012", clubs)
    assert split_name(name) == ("00000012", clubs)
    assert "/" not in name
    assert (name == "00000012") == (clubs is None)


# -- the pages ---------------------------------------------------------------------------------------


def claims(**changed: Any) -> dict[str, Any]:
    return {
        "is_logged_in": True,
        "email": AN,
        "email_verified": True,
        "iat": int(time.time()) - 60,
        **changed,
    }


def opened(
    monkeypatch: pytest.MonkeyPatch,
    folder: Path,
    user: dict[str, Any] | None,
    page: str = "hands",
    **address: str,
) -> AppTest:
    monkeypatch.setenv("TIENLEN_DB", str(folder))
    app = AppTest.from_file(APP, default_timeout=60)
    if user is not None:
        app.secrets["auth"] = dict(GOOD)
        app.user = user
    app.switch_page(f"views/{page}.py")
    for key, value in {"lang": "en", **address}.items():
        app.query_params[key] = value
    app.run()
    assert not app.exception, app.exception
    return app


def told(app: AppTest) -> str:
    return " ".join(
        str(getattr(element, "value", ""))
        for kind in ("title", "markdown", "info", "warning")
        for element in app.get(kind)
    )


@pytest.mark.parametrize(
    ("user", "why"),
    [
        ({}, "LOGGED_OUT"),
        ({"is_logged_in": False, "email": AN}, "LOGGED_OUT"),
        (claims(is_logged_in="yes"), "LOGGED_OUT"),
        (claims(iat=time.time() - SESSION - 1), "EXPIRED"),
        (claims(iat=time.time() + 3600), "EXPIRED"),
        (claims(iat=None), "EXPIRED"),
        (claims(email_verified=False), "UNPROVEN"),
        (claims(email_verified=None), "UNPROVEN"),
        (claims(email=None), "UNPROVEN"),
        (claims(email="la@example.com"), "STRANGER"),
    ],
)
@pytest.mark.parametrize("page", ["hands", "rules", "settings"])
def test_whoever_may_see_nothing_sees_why(
    monkeypatch: pytest.MonkeyPatch, club: Path, user: dict[str, Any], why: str, page: str
) -> None:
    give(Database(club), AN, "organiser", [], "test")
    app = opened(monkeypatch, club, user, page, hand=FLAGGED["hand_id"], club=CLUB)
    (text,) = [text for reason, text in WHY.items() if reason.name == why]
    assert text in told(app)
    assert app.title[0].value == "Tiến Lên"
    assert "VND" not in told(app)


def test_a_viewer_sees_the_own_clubs_hands_alone(monkeypatch: pytest.MonkeyPatch, club: Path) -> None:
    give(Database(club), AN, "viewer", [CLUB], "test")
    assert f"**{len(logs()) - 1}**" in told(opened(monkeypatch, club, claims()))
    give(Database(club), AN, "viewer", [""], "test")
    assert "**1**" in told(opened(monkeypatch, club, claims()))
    give(Database(club), AN, "organiser", [], "test")
    assert f"**{len(logs())}**" in told(opened(monkeypatch, club, claims()))


def test_a_viewer_finds_no_hand_of_another_club_by_its_code_and_is_not_told_how_to_correct_one(
    monkeypatch: pytest.MonkeyPatch, club: Path
) -> None:
    hand, _, _ = read(json.dumps(FLAGGED).encode())
    code = str(code_of(content_sha256(hand), 4))
    give(Database(club), AN, "viewer", [CLUB], "test")
    app = opened(monkeypatch, club, claims(), "replay", hand=code)
    assert [button.proto.label for button in app.get("download_button")] == ["Save", "Ruling sheet"]
    assert not app.code
    give(Database(club), AN, "viewer", [""], "test")
    app = opened(monkeypatch, club, claims(), "replay", hand=code)
    assert not app.get("download_button")
    assert app.warning
    give(Database(club), AN, "organiser", [], "test")
    app = opened(monkeypatch, club, claims(), "replay", hand=code)
    assert "tienlen revise thu-bay-2" in app.code[0].value


def test_only_an_organiser_can_change_settings_and_sees_who_has_a_role(
    monkeypatch: pytest.MonkeyPatch, club: Path
) -> None:
    heading = translate("Who may see and decide", "en")
    give(Database(club), AN, "viewer", [CLUB], "test")
    app = opened(monkeypatch, club, claims(), "settings")
    assert not app.selectbox
    assert heading not in [element.value for element in app.subheader]
    assert "role" not in told(app)
    give(Database(club), AN, "organiser", [], "test")
    app = opened(monkeypatch, club, claims(), "settings", club=CLUB)
    assert heading in [element.value for element in app.subheader]
    app.selectbox(key=f"zone-{CLUB}").set_value("Asia/Tokyo")
    app.button[0].click().run()
    assert not app.exception
    (entry,) = Journal(Database(club)).entries("setting")
    assert entry.by == AN
    assert entry.data == {"club": CLUB, "time_zone": "Asia/Tokyo", "day_starts": "06:00"}


def test_without_a_login_this_machine_is_the_organiser_and_no_other_address_is_anybody(
    monkeypatch: pytest.MonkeyPatch, club: Path
) -> None:
    from streamlit import config

    assert f"**{len(logs())}**" in told(opened(monkeypatch, club, None))
    for host in (None, "0.0.0.0", "192.168.1.7", "example.com"):
        config.set_option("server.address", host)
        try:
            app = opened(monkeypatch, club, None)
        finally:
            config.set_option("server.address", "127.0.0.1")
        assert app.title[0].value == "Tiến Lên"
        assert "no login is set up" in told(app)


def save_day(app: AppTest, folder: Path, zone: str) -> str:
    """Sets the club's time zone, and tells under which name it was entered."""
    app.selectbox(key=f"zone-{CLUB}").set_value(zone)
    app.button[0].click().run()
    assert not app.exception
    return Journal(Database(folder)).entries("setting")[-1].by


@pytest.mark.parametrize("lang", LANGUAGES)
def test_without_a_login_decisions_are_signed_with_the_name_that_was_given(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, lang: str
) -> None:
    folder = make_club(tmp_path)
    app = opened(monkeypatch, folder, None, "settings", club=CLUB, lang=lang)
    field = app.text_input(key="settings-name")
    assert (field.label, field.value) == (translate("Your name, for what you decide", lang), "")
    assert save_day(app, folder, "Asia/Tokyo") == field.placeholder == account_name()
    app.text_input(key="settings-name").set_value(f"  {HOSTILE}  Năm ").run()
    assert save_day(app, folder, "Asia/Seoul") == f"{HOSTILE} Năm"
    app.text_input(key="settings-name").set_value("N\u202eăm").run()  # who is who, turned round
    assert app.error
    assert save_day(app, folder, "Asia/Dubai") == f"{HOSTILE} Năm"
    app.switch_page("views/cases.py").run()
    assert account_name() not in links(app)
    app.switch_page("views/settings.py").run()
    assert app.text_input(key="settings-name").value == f"{HOSTILE} Năm"
    app.text_input(key="settings-name").set_value("").run()
    assert save_day(app, folder, "Asia/Tokyo") == account_name()
    app = opened(monkeypatch, folder, None, "money", lang=lang)
    assert account_name() in links(app)


def links(app: AppTest) -> str:
    return " ".join(str(link.proto.label) for link in app.get("page_link"))


def test_the_name_that_the_browser_remembers_counts_without_a_login_and_if_it_can_be_one(
    monkeypatch: pytest.MonkeyPatch, club: Path
) -> None:
    import streamlit

    def signed(told: str) -> str:
        monkeypatch.setattr(type(streamlit.context), "cookies", {NAME_COOKIE: told})
        return given_name()

    assert signed(quote(" Bà Năm; x")) == "Bà Năm; x"
    assert [signed(told) for told in ("", "%00", "a" * 101, "%E2%80%AE", "a" * 100)] == [""] * 4 + ["a" * 100]
    give(Database(club), AN, "organiser", [], "test")
    app = opened(monkeypatch, club, claims(), "settings", club=CLUB)
    assert not app.text_input
    assert save_day(app, club, "Asia/Dubai") == AN


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_was_decided_is_told_latest_first_and_markup_in_it_is_text(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, lang: str
) -> None:
    folder = make_club(tmp_path)
    hostile = "[x](http://evil.example) <b>"
    for number in range(30):
        data = {"club": CLUB, "amount": str(number), "note": hostile, "later_key": 1}
        Journal(Database(folder)).append("payment" if number else "kind_of_later", data, hostile)
    app = opened(monkeypatch, folder, None, "settings", lang=lang)
    captions = [re.sub(r"\\(.)", r"\1", str(element.value)) for element in app.markdown]
    entries = [text for text in captions if f"{translate('amount', lang)}: " in text]
    assert len(entries) == 25
    assert f"{translate('amount', lang)}: 29" in entries[0]
    for element in (*app.markdown, *app.caption):
        assert "](http" not in str(element.value)
    app.number_input(key="history-page").set_value(2).run()
    assert "kind of later" in re.sub(r"\\(.)", r"\1", told(app))


def test_a_viewer_sees_the_decisions_of_the_own_clubs_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = make_club(tmp_path)
    give(Database(folder), AN, "viewer", [CLUB], "test")
    for club in (CLUB, "khác"):
        Journal(Database(folder)).append("payment", {"club": club}, f"treasurer of {club}")
    app = opened(monkeypatch, folder, claims(), "settings")
    assert f"treasurer of {CLUB}".replace("-", "\\-") in told(app)
    assert "khác" not in told(app)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_settings_of_an_empty_database_say_what_to_do(
    monkeypatch: pytest.MonkeyPatch, database: Database, lang: str
) -> None:
    app = opened(monkeypatch, database.path, None, "settings", lang=lang)
    assert "tienlen ingest" in re.sub(r"\\(.)", r"\1", told(app))
    assert app.title[0].value == translate("Settings", lang)


def test_a_login_file_that_has_gone_lets_nobody_in(monkeypatch: pytest.MonkeyPatch, club: Path) -> None:
    monkeypatch.setenv("TIENLEN_AUTH", "/nowhere/auth.toml")
    assert "Log in to see them" in told(opened(monkeypatch, club, None))


@pytest.mark.parametrize("header", ["Forwarded", "X-Forwarded-For", "X-Real-Ip"])
def test_what_a_proxy_passes_on_is_not_this_machine_s_own(
    monkeypatch: pytest.MonkeyPatch, club: Path, header: str
) -> None:
    import streamlit

    monkeypatch.setattr(type(streamlit.context), "headers", {header: "203.0.113.7"})
    assert "no login is set up" in told(opened(monkeypatch, club, None))
