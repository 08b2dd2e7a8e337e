"""Entering a hand by tapping, and trying another way to play one, in a real browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from analyzer.locale import translate
from analyzer.reports.money import format_signed
from analyzer.store.database import Database
from analyzer.store.journal import Journal
from analyzer.store.reader import open_reader
from analyzer.store.revising import revisions_of
from dashboards.tapping import LABELS
from tests.browser.club import CLUB, DEAL, FLAGGED, FORFEIT, HOSTILE, RUN, make_club
from tests.browser.reader import Reader, listen
from tests.browser.serving import serving
from tests.browser.test_file import CONTRASTS
from tests.hands import plays, raw

pytestmark = pytest.mark.browser

SIZES: Final = (390, 1440)
PREFIX: Final = "tienlen-draft:"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_club(tmp_path_factory.mktemp("entry"))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, folder: Path) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("served"), folder) as address:
        yield address


class Scorer(Reader):
    """Somebody who writes down a hand, with a thumb."""

    def open(self, path: str) -> None:
        super().open(path)
        self.answered()

    def open_replay(self, path: str) -> None:
        super().open(path)
        self.text("sentence")

    def answered(self) -> None:
        """Waits until what was tapped is judged."""
        self.page.locator(".te:not(.te-busy)").wait_for()
        self.page.locator("[data-part=words] textarea").wait_for(state="attached")

    def do(self, what: str) -> None:
        self.page.locator(f"[data-do={what}]").click()
        self.answered()

    def tab(self, name: str) -> None:
        self.page.locator(f"[data-tab={name}]").click()

    def field(self, name: str, value: str) -> None:
        node = self.page.locator(f"[data-part=setup] [data-id={name}]")
        if node.evaluate("node => node.tagName") == "SELECT":
            node.select_option(value)
        else:
            node.fill(value)
            node.blur()
        self.answered()

    def tap(self, cards: str) -> None:
        for card in cards.split():
            self.page.locator(f'[data-card="{card}"]').click()

    def play(self, cards: str) -> None:
        self.tap(cards)
        self.do("play")

    def chip(self, cards: str) -> None:
        self.page.locator(f'[data-play="{cards}"]').click()
        self.answered()

    def part(self, name: str) -> str:
        return " ".join(str(self.page.locator(f"[data-part={name}]").inner_text()).split())

    def log(self) -> Any:
        """The log as it stands, by the text beside the table."""
        form = self.page.locator("[data-form=json]")
        if form.count():
            form.click()
        return json.loads(self.page.locator("[data-part=text]").input_value())

    def net(self) -> list[str]:
        return [text.replace("\u00a0", " ") for text in self.page.locator("[data-net]").all_inner_texts()]

    def drafts(self) -> dict[str, str]:
        found = self.page.evaluate("Object.fromEntries(Object.entries(localStorage))")
        return {key: text for key, text in found.items() if key.startswith(PREFIX) and key != f"{PREFIX}="}


@pytest.fixture(params=[SIZES[0], pytest.param(SIZES[1], marks=pytest.mark.full)])
def scorer(browser: Any, server: str, request: pytest.FixtureRequest) -> Iterator[Scorer]:
    somebody = Scorer(browser, server, width=request.param)
    yield somebody
    somebody.leave()


@pytest.fixture
def phone(browser: Any, server: str) -> Iterator[Scorer]:
    somebody = Scorer(browser, server, width=390)
    yield somebody
    somebody.leave()


def told(text: str, **values: Any) -> str:
    return translate(text, "vi").format(**values)


def seat_two(scorer: Scorer) -> None:
    """An and Bình, ten thousand a stake; An won the hand before."""
    for name, value in {
        "howMany": "2",
        "player-0": "An",
        "player-1": "Bình",
        "rules": "mien-nam",
        "stake": "10.000",
        "currency": "VND",
        "lead": "won_previous",
        "evening": "thu-tay",
        "handNo": "1",
    }.items():
        scorer.field(name, value)


def test_a_hand_is_entered_by_tapping_taken_in_and_replayed(scorer: Scorer, folder: Path) -> None:
    hand_id = f"thu-tay-{scorer.page.viewport_size['width']}"
    scorer.open("/entry?lang=vi")
    seat_two(scorer)
    scorer.field("handId", hand_id)
    scorer.tab("deal")
    for seat in (0, 1):
        scorer.page.locator(f'[data-seat="{seat}"]').click()
        scorer.tap(" ".join(DEAL[seat]))
    scorer.answered()
    for _ in range(200):  # on a slow machine the last taps are answered one after the other
        dealt = scorer.log()["deal"]
        if dealt is not None and all(cards and len(cards) == 13 for cards in dealt):
            break
        scorer.page.wait_for_timeout(200)
    assert [sorted(cards) for cards in dealt] == [sorted(cards) for cards in DEAL[:2]]

    scorer.tab("play")
    scorer.play("10H")
    scorer.play("9C 9D")  # a pair on a single: it happened, so it is entered, and flagged at once
    flagged = told("against the rules")
    assert flagged in scorer.part("flash")
    assert "9♣ 9♦" in scorer.part("flash")
    assert scorer.page.locator("[data-part=record] .tl-error").count()
    scorer.do("undo")
    assert flagged not in scorer.part("flash")
    assert scorer.page.locator("[data-play]").evaluate_all("all => all.map(one => one.dataset.play)") == [
        "KC",
        "KD",
    ]
    scorer.chip("KC")

    scorer.page.reload()
    scorer.settle()
    scorer.answered()
    assert [event["type"] for event in scorer.log()["events"]] == ["play", "play"]
    scorer.chip("KH")
    scorer.do("pass")
    scorer.play(RUN.removeprefix("0 ").removesuffix(" KH"))
    scorer.do("pass")
    scorer.chip("KS")
    # The last of two pays one stake; he played, so he is not frozen, and holds no two and no bomb.
    assert scorer.net() == [
        format_signed(amount, "VND", "vi").replace("\u00a0", " ") for amount in (10_000, -10_000)
    ]

    scorer.page.get_by_role("button", name=told("Take into the database")).click()
    scorer.settle()
    link = scorer.page.get_by_role("link", name=told("To the replay of {hand}", hand=hand_id))
    link.wait_for()
    with open_reader(Database(folder)) as reader:
        rows = reader.rows(
            "SELECT player_id, net FROM seats WHERE hand_id = $id ORDER BY seat", {"id": hand_id}
        )
        assert [(row["player_id"], int(row["net"])) for row in rows] == [("an", 10_000), ("binh", -10_000)]
        (row,) = reader.rows(
            "SELECT session_id, hand_no, outcome FROM hands WHERE hand_id = $id", {"id": hand_id}
        )
        assert tuple(row.values()) == ("thu-tay", 1, "finished")
    link.click()
    scorer.settle()
    scorer.press("ArrowRight")
    assert "An đánh 10♥" in scorer.text("sentence")


@pytest.mark.full
def test_what_was_entered_is_there_in_another_window_of_the_browser(phone: Scorer) -> None:
    phone.open("/entry?lang=vi")
    seat_two(phone)
    phone.tab("play")
    phone.play("3S")
    log = phone.log()
    first, phone.page = phone.page, listen(phone.context.new_page())
    phone.open("/entry?lang=en")
    assert phone.log() == log
    phone.page.close()
    phone.page = first


@pytest.mark.full
def test_several_drafts_are_kept_and_deleted_after_a_question(phone: Scorer) -> None:
    phone.open("/entry?lang=vi")
    seat_two(phone)
    phone.field("name", "bàn một")
    phone.do("create")
    phone.field("name", HOSTILE)
    assert len(phone.drafts()) == 2
    names = phone.page.locator("[data-part=open] option").all_inner_texts()
    assert names == [HOSTILE, "bàn một"]
    phone.do("ask")
    phone.do("keep")
    assert len(phone.drafts()) == 2
    phone.do("ask")
    phone.do("remove")
    assert len(phone.drafts()) == 1
    assert phone.page.locator("[data-part=open] option").all_inner_texts() == ["bàn một"]
    assert phone.log()["session_id"] == "thu-tay"


@pytest.mark.full
def test_hostile_drafts_break_nothing(phone: Scorer) -> None:
    phone.open("/entry?lang=vi")
    seat_two(phone)
    phone.field("name", "của tôi")
    good = phone.log()
    evil = {
        "a": "not json",
        "b": "null",
        "c": json.dumps(
            {
                "draft": {"format": "tienlen-draft/1", "base": {"players": 3}, "steps": [], "at": 0},
                "name": HOSTILE,
                "changed": 9e15,
            }
        ),
        "d": json.dumps(
            {"draft": {"base": good, "steps": [{"do": HOSTILE}], "at": 1}, "name": 7, "changed": "x"}
        ),
        "e": "[" * 50_000,
        "__proto__": "{}",
        "f" * 5000: json.dumps({"draft": {"base": {}, "steps": [], "at": 0}}),
    }
    phone.page.evaluate(
        "([prefix, all]) => { for (const [key, text] of Object.entries(all)) localStorage.setItem(prefix + key, text) }",
        [PREFIX, evil],
    )
    for opened in ("a", "c", "d", "zzz", "f" * 5000):
        phone.page.evaluate("([key, id]) => localStorage.setItem(key, id)", [f"{PREFIX}=", opened])
        phone.page.reload()
        phone.settle()
        phone.page.locator("[data-part=open] option").first.wait_for(state="attached")
        phone.page.wait_for_timeout(600)
    for draft in (key.removeprefix(PREFIX) for key in phone.drafts() if len(key) < 100):
        phone.page.locator("[data-part=open]").select_option(draft)
        phone.page.wait_for_timeout(300)
    mine = next(key for key, text in phone.drafts().items() if "của tôi" in text)
    phone.page.locator("[data-part=open]").select_option(mine.removeprefix(PREFIX))
    phone.answered()
    assert phone.log() == good


@pytest.mark.full
def test_an_act_is_put_in_and_taken_out_in_the_middle(phone: Scorer) -> None:
    phone.open("/entry?lang=vi")
    seat_two(phone)
    phone.tab("play")
    for cards in ("3S", "4S", "5S"):
        phone.play(cards)
    phone.page.locator('[data-cursor="1"]').click()
    phone.answered()
    assert told(LABELS["inserting"], n=2) in phone.part("record")
    phone.do("pass")
    assert [event["type"] for event in phone.log()["events"]] == ["play", "pass", "play", "play"]
    phone.page.locator('[data-cursor="1"]').click()
    phone.answered()
    phone.do("drop")
    assert [event["cards"] for event in phone.log()["events"]] == [["3S"], ["4S"], ["5S"]]
    phone.press("z")
    phone.answered()
    assert len(phone.log()["events"]) == 4


@pytest.mark.full
def test_what_else_happened_is_entered_and_the_seat_is_chosen(phone: Scorer) -> None:
    phone.open("/entry?lang=vi")
    seat_two(phone)
    phone.tab("play")
    phone.page.locator("[data-part=others] summary").click()
    phone.page.locator('[data-seat="1"]').click()
    phone.tap("3S")
    phone.page.locator("[data-other=expose]").click()
    phone.answered()
    phone.page.locator("[data-note]").fill(HOSTILE)
    phone.page.locator("[data-other=note]").click()
    phone.answered()
    phone.do("openSuits")
    phone.tap("8? 8?")
    phone.do("play")
    assert phone.log()["events"] == [
        {"type": "show", "seat": 1, "cards": ["3S"], "why": "early"},
        {"type": "note", "text": HOSTILE},
        {"type": "play", "seat": 0, "cards": ["8?", "8?"]},
    ]
    assert (
        told("a duty broken") in phone.part("record")
        or phone.page.locator("[data-part=record] .tl-warning").count()
    )


def test_text_and_table_go_in_step(phone: Scorer) -> None:
    phone.open("/entry?lang=vi")
    seat_two(phone)
    log = phone.log()
    text = phone.page.locator("[data-part=text]")
    text.fill(json.dumps({**log, "events": [{"type": "play", "seat": 0, "cards": ["3Z"]}]}))
    phone.page.locator("[data-part=problems] li").wait_for()
    assert "events[0].cards[0]" in phone.part("problems")
    phone.page.reload()
    phone.settle()
    phone.answered()
    assert "3Z" in phone.page.locator("[data-part=text]").input_value()
    phone.page.locator("[data-part=text]").fill(
        json.dumps({**log, "events": [{"type": "play", "seat": 0, "cards": ["3S"]}]})
    )
    phone.page.locator("[data-do=takeText]:not([aria-disabled=true])").wait_for()
    phone.do("takeText")
    assert phone.log()["events"] == [{"type": "play", "seat": 0, "cards": ["3S"]}]
    phone.tab("play")
    assert "An đánh 3♠" in phone.part("record")
    # The notation, on a phone's keyboard.
    phone.page.locator("[data-form=notation]").click()
    written = phone.page.locator("[data-part=text]").input_value()
    phone.page.locator("[data-part=text]").fill(written + "binh 4 bich\nan bo\n")
    phone.page.locator("[data-do=takeText]:not([aria-disabled=true])").wait_for()
    phone.do("takeText")
    assert phone.log()["events"][1:] == [
        {"type": "play", "seat": 1, "cards": ["4S"]},
        {"type": "pass", "seat": 0},
    ]


@pytest.mark.full
def test_a_step_that_cannot_stand_is_told_and_undone(phone: Scorer) -> None:
    phone.open("/entry?lang=vi")
    seat_two(phone)
    before = phone.log()
    phone.field("handNo", "0")
    phone.page.locator(".te-notice.te-bad").wait_for()
    assert "hand_no" in phone.part("notice")
    assert phone.log() == before
    assert phone.page.locator("[data-id=handNo]").input_value() == "1"


def test_all_is_large_enough_for_a_thumb_and_nothing_sticks_out(phone: Scorer) -> None:
    phone.open("/entry?lang=vi")
    seat_two(phone)
    for tab in ("setup", "deal", "play"):
        phone.tab(tab)
        small = phone.page.locator(".te").evaluate(
            """app => [...app.querySelectorAll("button, select, input, summary")].filter((node) => node.checkVisibility())
                .filter((node) => { const { width, height } = node.getBoundingClientRect(); return width < 42.9 || height < 43.9; })
                .map((node) => node.outerHTML)"""
        )
        assert small == []
        assert phone.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    phone.tab("setup")  # a date and a time need more room than half of a phone
    assert phone.page.locator("[data-id=playedAt]").bounding_box()["width"] > 250


def test_tab_reaches_all_and_stops_at_one_card_of_the_board(phone: Scorer) -> None:
    phone.open("/entry?lang=vi")
    seat_two(phone)
    phone.tab("play")
    unreached, unseen = phone.tab_from("[data-part=open]")
    assert unreached == ["a card"] * 51, "the arrows go to the others"
    assert unseen == []
    phone.page.locator('[data-card="9H"]').focus()
    phone.press("Tab", "Shift+Tab")
    assert phone.page.evaluate("document.activeElement.shadowRoot.activeElement.dataset.card") == "9H"


def test_it_is_played_by_keyboard_alone(phone: Scorer) -> None:
    phone.open("/entry?lang=vi")
    seat_two(phone)
    phone.tab("play")
    phone.page.locator('[data-card="3S"]').focus()
    phone.press("Enter", "ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp")
    assert phone.page.evaluate("document.activeElement.shadowRoot.activeElement.dataset.card") == "3S"
    phone.press("d")
    phone.answered()
    phone.press("b")
    phone.answered()
    assert [event["type"] for event in phone.log()["events"]] == ["play", "pass"]


@pytest.mark.full
def test_a_tap_is_kept_before_it_is_answered_and_counts_once(phone: Scorer) -> None:
    phone.open("/entry?lang=vi")
    seat_two(phone)
    phone.tab("deal")
    phone.tap(" ".join(DEAL[0]))
    phone.answered()
    phone.tab("play")
    phone.page.locator('[data-play="10H"]').evaluate(
        "chip => { chip.click(); chip.click(); location.reload(); }"
    )
    phone.settle()
    phone.answered()
    assert phone.log()["events"] == [{"type": "play", "seat": 0, "cards": ["10H"]}]


@pytest.mark.full
def test_the_next_hand_goes_on_with_the_same_table(phone: Scorer) -> None:
    phone.open("/entry?lang=vi")
    seat_two(phone)
    phone.tab("play")
    phone.page.locator("[data-part=others] summary").click()
    phone.play("3S")
    phone.page.locator('[data-seat="1"]').click()
    phone.page.locator("[data-other=leave]").click()
    phone.answered()
    phone.page.locator("[data-do=following]").click()
    phone.answered()
    told = phone.log()
    assert (told["hand_no"], told["session_id"], told["events"]) == (2, "thu-tay", [])
    assert told["lead"] == {"reason": "won_previous", "seat": 0}
    assert [player["name"] for player in told["players"]] == ["An", "Bình"]
    assert "played_at" in told
    assert len(phone.drafts()) == 2


@pytest.mark.full
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_stands_out_from_what_is_behind_it(phone: Scorer, scheme: str) -> None:
    phone.page.emulate_media(color_scheme=scheme)
    phone.open("/entry?lang=vi")
    seat_two(phone)
    poor = CONTRASTS.replace("() => {", "(app) => {", 1).replace("document.body", "app")
    poor = poor.replace("behind(node.parentElement)", "behind(node.parentElement ?? node.getRootNode().host)")
    for tab in ("setup", "deal", "play"):
        phone.tab(tab)
        assert phone.page.locator(".te").evaluate(poor) == [], tab
    phone.play("3S 4S")
    phone.page.locator("[data-part=others] summary").click()
    phone.play("9C 9D")
    assert phone.page.locator(".te").evaluate(poor) == []


# -- what if -------------------------------------------------------------------------------------


def test_another_way_to_play_changes_the_money_and_is_kept_by_name(scorer: Scorer, folder: Path) -> None:
    name = f"chặn {scorer.page.viewport_size['width']}"
    address = f"hand={FORFEIT['hand_id']}&club={CLUB}"
    scorer.open_replay(f"/replay?{address}&event=1&lang=vi")
    scorer.page.locator("[data-do=tryHere]").click()
    scorer.settle()
    scorer.settle()
    scorer.answered()
    before = Journal(Database(folder)).state()
    scorer.chip("KC")
    scorer.do("pass")
    scorer.chip("KH")
    scorer.do("pass")
    scorer.page.reload()
    scorer.settle()
    scorer.answered()
    scorer.play(RUN.removeprefix("0 ").removesuffix(" KH"))
    scorer.do("pass")
    scorer.do("pass")
    scorer.chip("KS")
    # As played the second pays for both who are frozen; now only the third is, who never played.
    for seat, (was, now) in enumerate([(40_000, 25_000), (-40_000, -5_000), (0, -20_000)]):
        line = scorer.page.locator(f'[data-tried="{seat}"]').inner_text().replace("\u00a0", " ")
        amounts = [
            format_signed(amount, "VND", "vi").replace("\u00a0", " ") for amount in (was, now, now - was)
        ]
        assert f"{amounts[0]} → {amounts[1]}" in line
        assert line.endswith(amounts[2])
    assert Journal(Database(folder)).state() == before
    with open_reader(Database(folder)) as reader:
        (row,) = reader.rows(
            "SELECT count(*) AS n FROM hands WHERE hand_id = $id", {"id": FORFEIT["hand_id"]}
        )
        assert row["n"] == 1

    scorer.page.get_by_label(told("Name of the variation")).fill(name)
    scorer.page.get_by_role("button", name=told("Save as a variation")).click()
    scorer.page.get_by_text(told("Entered.")).wait_for()
    entry = Journal(Database(folder)).entries("variation_saved")[-1]
    assert (entry.data["name"], entry.data["event"], len(entry.data["events"])) == (name, 1, 8)

    scorer.open_replay(f"/replay?{address}&lang=vi")
    scorer.page.get_by_role("link", name=told("{name}: from act {n} on", name=name, n=2)).click()
    scorer.settle()
    scorer.answered()
    assert "+25.000" in scorer.net()[0]
    scorer.open_replay(f"/replay?{address}&lang=vi")
    scorer.page.get_by_role("button", name=told("Drop"), exact=True).click()
    scorer.page.get_by_role("button", name=told("Drop the variation {name}", name=name)).click()
    scorer.settle()
    assert scorer.page.get_by_role("link", name=told("{name}: from act {n} on", name=name, n=2)).count() == 0
    assert Journal(Database(folder)).entries("variation_dropped")[-1].data["variation"] == entry.number


def test_one_act_is_changed_and_the_hand_goes_on_as_it_was_played(phone: Scorer) -> None:
    phone.open(f"/entry?hand={FORFEIT['hand_id']}&club={CLUB}&event=0&lang=vi")
    phone.play("KS")
    assert phone.page.locator("[data-do=follow]").inner_text() == told(LABELS["follow"], n=2)
    phone.do("follow")
    assert phone.log()["events"] == plays("0 KS", "1", "2", RUN, "1", "2")
    assert "5" in phone.part("wentOn")
    assert "(An Tên Dài Ơi Là Dài đánh K♠)" in phone.part("wentOn")
    phone.do("undo")
    assert phone.log()["events"] == plays("0 KS")
    assert phone.part("wentOn") == ""


# -- corrections ---------------------------------------------------------------------------------


def test_a_stored_hand_is_corrected_by_file_and_by_tapping(phone: Scorer, folder: Path) -> None:
    def revisions() -> list[dict[str, Any]]:
        with open_reader(Database(folder)) as reader:
            return revisions_of(reader, CLUB, FLAGGED["hand_id"])

    def take_in(reason: str) -> None:
        phone.page.get_by_label(told("Why is it corrected?")).fill(reason)
        phone.page.get_by_role("button", name=told("Take in the correction")).dblclick()
        phone.page.get_by_text(
            told("The correction is taken in; the earlier revisions stay readable.")
        ).wait_for()

    mended = {**FLAGGED, "events": plays("0 10H", "1", "2", RUN, "1", "2", "0 KS")}
    address = f"hand={FLAGGED['hand_id']}&club={CLUB}&lang=vi"
    phone.open_replay(f"/replay?{address}")
    phone.page.get_by_text(told("Correct this hand"), exact=True).click()
    phone.page.locator("input[type=file]").set_input_files(
        {"name": f"{HOSTILE}.json", "mimeType": "application/json", "buffer": raw(mended)}
    )
    phone.page.get_by_text("3♣ 3♦").first.wait_for()
    take_in("gõ nhầm")
    phone.settle()
    assert [row["revision_reason"] for row in revisions()] == [None, "gõ nhầm"]

    phone.page.get_by_text(told("Correct this hand"), exact=True).click()
    phone.page.get_by_role("link", name=told("Correct it by tapping")).click()
    phone.settle()
    phone.answered()
    phone.page.locator('[data-cursor="6"]').click()
    phone.answered()
    phone.do("drop")
    phone.play("KH")
    take_in(HOSTILE)
    phone.settle()
    assert [row["revision_reason"] for row in revisions()] == [None, "gõ nhầm", HOSTILE]
    assert json.loads(revisions()[-1]["log"])["events"] == plays("0 10H", "1", "2", RUN, "1", "2", "0 KH")
    assert phone.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
