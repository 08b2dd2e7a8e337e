"""The replay as a file of its own, in a real browser without a network."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from analyzer.locale import translate
from analyzer.logs.reading import read
from analyzer.reports.account import make_account
from analyzer.reports.export import replay_file
from analyzer.reports.table_view import LABELS
from analyzer.reports.view import view_of
from tests.browser.club import FLAGGED, FORFEIT, HOSTILE
from tests.browser.reader import Reader
from tests.hands import raw

pytestmark = pytest.mark.browser

Log = dict[str, Any]
SAMPLES: Final = Path(__file__).parents[2] / "sample_logs"
OVERRIDE: Final = "\u202e"
WICKED: Final = [
    "</script><script>alert(1)</script>",
    f"Bình{OVERRIDE}đồng 000.01 trả\u2028\u2066",
    f"{HOSTILE}<!--",
]


class FileReader(Reader):
    """Somebody who opened a file; offline, so a request would fail and be noticed."""

    def __init__(self, browser: Any, path: Path, width: int = 1280, scheme: str = "light") -> None:
        super().__init__(browser, path.as_uri(), width=width)
        self.context.set_offline(True)
        self.page.emulate_media(color_scheme=scheme)

    def settle(self) -> None:
        self.page.locator("[data-part=sentence]:not(:empty)").wait_for()

    def until(self, part: str, text: str) -> None:
        # Not wait_for_function: the file's policy forbids what it does.
        self.page.locator(part, has_text=text).wait_for(state="attached")

    def hash(self) -> str:
        self.page.wait_for_timeout(200)
        return str(self.page.evaluate("location.hash"))

    def backs(self) -> int:
        return int(self.page.locator("[data-part=table] .tl-back").count())

    def label(self, key: str, **values: object) -> str:
        lang = self.page.evaluate("document.documentElement.lang")
        return translate(LABELS[key], lang).format(**values)


Opener = Callable[..., FileReader]


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Opener]:
    """Opens a log as a file; what troubled the reader fails the test at its end."""
    readers: list[FileReader] = []

    def opener(log: Log, at: str = "", lang: str = "vi", names: bool = True, **seen: Any) -> FileReader:
        path = tmp_path / f"van-{len(readers)}.html"
        hand, rules, _ = read(raw(log))
        path.write_text(replay_file(hand, rules, lang, names=names), "utf-8")
        reader = FileReader(browser, path, **seen)
        readers.append(reader)
        reader.open(at)
        return reader

    yield opener
    for reader in readers:
        reader.leave()


def squeezed(text: str) -> str:
    return " ".join(text.split())


def view(log: Log) -> dict[str, Any]:
    hand, rules, _ = read(raw(log))
    return view_of(make_account(hand, rules))


def renamed(log: Log, names: list[str]) -> Log:
    return {**log, "players": [{**p, "name": n} for p, n in zip(log["players"], names, strict=True)]}


# -- the file ----------------------------------------------------------------------------------------


def test_it_opens_offline_at_the_event_of_its_address_and_keeps_the_address(opened: Opener) -> None:
    reader = opened(FLAGGED, "#event=4")
    assert reader.text("position") == "5 / 7"
    reader.press("ArrowLeft")
    assert reader.hash() == "#event=3"
    reader.press("Home")
    assert reader.hash() == ""
    reader.page.evaluate("location.hash = '#event=6'")
    reader.until("[data-part=position]", "7 / 7")
    for odd in ("#event=99", "#event=x", "#event=-3", "#other"):
        assert opened(FLAGGED, odd).text("position") in ("7 / 7", "– / 7")


def test_both_languages_are_inside(opened: Opener) -> None:
    reader = opened(FLAGGED, "#event=4")
    (flag, *_) = view(FLAGGED)["events"][4]["flags"]
    for lang, name in (("vi", "Tiếng Việt"), ("en", "English"), ("vi", "Tiếng Việt")):
        reader.page.get_by_role("button", name=name).click()
        assert flag["message"][lang] in reader.text("ruling")
        assert reader.text("position") == "5 / 7"
        assert reader.page.locator("html").get_attribute("lang") == lang


def test_wicked_names_are_text(opened: Opener) -> None:
    log = renamed(FLAGGED, WICKED)
    log["events"] = [*log["events"], {"type": "note", "text": WICKED[0] + OVERRIDE}]
    reader = opened(log)
    for _ in log["events"]:
        reader.press("ArrowRight")
    shown = reader.page.locator("body").inner_text()
    assert WICKED[0] in shown
    assert HOSTILE in shown
    assert OVERRIDE not in shown
    assert "đồng 000.01 trả" in shown  # in the order in which it was written
    assert reader.page.locator("script").count() == 2
    assert reader.page.locator("img").count() == 0


def test_without_names_each_language_has_its_own_pseudonyms(opened: Opener) -> None:
    reader = opened(FORFEIT, names=False)
    for name, first in (("English", "Player A"), ("Tiếng Việt", "Người chơi A")):
        reader.page.get_by_role("button", name=name).click()
        assert first in reader.text("money")
        assert reader.page.locator(".tl-seat title", has_text=first).count() == 1


def test_only_the_file_s_own_script_runs(opened: Opener) -> None:
    reader = opened(FLAGGED)
    reader.page.evaluate(
        """() => {
            for (const text of ["window.broken = 1"]) {
                const script = document.createElement("script");
                script.textContent = text;
                document.body.append(script);
            }
        }"""
    )
    assert reader.page.evaluate("window.broken") is None
    assert any("Content Security Policy" in trouble for trouble in reader.troubles)
    reader.troubles.clear()


# -- ways of looking ---------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_seat_sees_its_own_cards_and_how_many_the_others_have(opened: Opener, seat: int) -> None:
    log = {
        **FORFEIT,
        "events": [{"type": "show", "seat": 2, "cards": ["3H"], "why": "early"}, *FORFEIT["events"]],
    }
    frames = view(log)["frames"]
    reader = opened(log)
    assert reader.backs() == 0
    reader.press(str(seat + 1))
    for k in range(-1, len(log["events"])):
        frame = frames[k + 1]
        shown = int(k >= 0 and seat != 2)  # the card that everybody has seen
        hidden = 0 if frame["over"] else sum(frame["counts"]) - frame["counts"][seat] - shown
        assert reader.backs() == hidden, k
        if not frame["over"]:
            assert not reader.page.locator("[data-part=money]").is_visible()
            assert reader.page.locator("[data-part=events] li[data-at]:visible").last.get_attribute(
                "data-at"
            ) == str(k)
        reader.press("ArrowRight")
    reader.press("Home", "0")
    assert reader.backs() == 0


def test_a_seat_is_not_told_what_rests_on_cards_it_cannot_see(opened: Opener) -> None:
    reader = opened(FORFEIT, "#event=1")
    passer = view(FORFEIT)["events"][1]["seat"]
    told = reader.label("missed", player=HOSTILE)
    assert told in reader.text("ruling")
    reader.press(str(passer + 1))
    assert told in reader.text("ruling")
    reader.press(str(2 - passer + 2))
    assert told not in reader.text("ruling")
    assert reader.text("choice").endswith(reader.label("hiddenPlays"))
    assert reader.page.locator("[data-part=before] .tl-strip").last.get_attribute("aria-label") == " ".join(
        ["??"] * 13
    )


def test_a_card_that_was_not_held_is_told_to_its_seat_alone(opened: Opener) -> None:
    log = {**FLAGGED, "events": [*FLAGGED["events"][:1], {"type": "play", "seat": 1, "cards": ["QS"]}]}
    (flag,) = view(log)["events"][1]["flags"]
    assert flag["code"] == "card_not_held"
    reader = opened(log, "#event=1")
    for key, told in (("0", True), ("2", True), ("1", False), ("3", False)):
        reader.press(key)
        assert (squeezed(flag["message"]["vi"]) in squeezed(reader.text("ruling"))) == told, key
        assert (reader.page.locator("[data-part=table] .tl-bad").count() == 1) == told, key
        assert (reader.page.locator("[data-part=events] .tl-mark").count() > 0) == told, key


def test_the_quiz_hides_what_comes_until_it_is_guessed_or_asked_for(opened: Opener) -> None:
    reader = opened(FORFEIT)
    reader.press("q")
    ahead = reader.page.locator("[data-part=events] li[data-at]:visible")
    assert ahead.last.get_attribute("data-at") == "-1"
    assert not reader.page.locator("[data-part=money]").is_visible()
    assert reader.text("question") == reader.label("question", player="An Tên Dài Ơi Là Dài")
    reader.press("f", "m", "Shift+M", " ")  # jumps and playing would tell
    assert reader.text("position") == "– / 7"
    reader.press("d")
    assert reader.text("answer") == reader.label("right", guess=reader.label("guessPlay"))
    assert reader.label("plays", n=view(FORFEIT)["events"][0]["choice"]["count"]) in reader.text("choice")
    reader.press("d")
    assert reader.text("answer") == reader.label("wrong", guess=reader.label("guessPlay"))
    assert reader.text("position") == "2 / 7"
    assert reader.text("score") == reader.label("score", right=1, asked=2)
    assert reader.label("missed", player=HOSTILE) in reader.text("ruling")
    assert reader.label("forfeit") not in reader.text("ruling")  # the end of the hand decides that
    reader.press("ArrowRight")
    assert reader.text("answer") == ""
    assert ahead.last.get_attribute("data-at") == "2"
    reader.press("End")
    assert reader.page.locator("[data-part=money]").is_visible()
    assert reader.text("question") == reader.label("over")
    reader.press("q")
    assert not reader.page.locator("[data-part=quiz]").is_visible()


def test_it_plays_by_itself_at_the_speed_that_is_set_and_stops_at_the_end(opened: Opener) -> None:
    reader = opened(FLAGGED)
    reader.press("+", "+", " ")
    button = reader.page.locator("[data-do=play]")
    assert button.get_attribute("aria-label") == reader.label("pause")
    reader.until("[data-part=position]", "7 / 7")
    assert button.get_attribute("aria-label") == reader.label("play")
    reader.press(" ")
    assert reader.text("position") == "– / 7"
    reader.press("ArrowRight")
    assert button.get_attribute("aria-label") == reader.label("play")


def test_each_kind_of_jump_goes_to_its_events_and_back(opened: Opener) -> None:
    log = {
        **FORFEIT,
        "events": [
            *FORFEIT["events"][:3],
            {"type": "play", "seat": 0, "cards": ["3S"]},
            *FORFEIT["events"][3:],
        ],
    }
    shown = view(log)
    tricks = [
        k
        for k, act in enumerate(shown["events"])
        if shown["frames"][k + 1]["trick"] > shown["frames"][k]["trick"]
    ]
    expected = {
        "f": [k for k, act in enumerate(shown["events"]) if act["flags"] or act["forfeit"]],
        "m": [k for k, act in enumerate(shown["events"]) if act["missed"] or act["undecided"]],
        "t": tricks,
    }
    chain = json.loads((SAMPLES / "mien-nam" / "chuoi-ba-hang.json").read_text("utf-8"))
    chops = [k for k, act in enumerate(view(chain)["events"]) if act["chops"]]
    assert len(chops) == 3
    chased = opened(chain)
    for k in chops:
        chased.press("k")
        assert chased.text("position").split()[0] == str(k + 1)
    reader = opened(log)
    for key, events in expected.items():
        assert events, key
        for order, press in ((events, key), (events[-2::-1], f"Shift+{key.upper()}")):
            for k in order:
                reader.press(press)
                assert reader.text("position").split()[0] == str(k + 1), (press, k)
        reader.press("Home")


def test_the_keys_are_told_and_then_left_alone(opened: Opener) -> None:
    reader = opened(FLAGGED)
    reader.press("?")
    help_ = reader.page.locator("dialog")
    assert help_.is_visible()
    assert reader.label("helpShift") in help_.inner_text()
    reader.press("ArrowRight", "q")
    assert reader.text("position") == "– / 7"
    reader.press("Escape")
    assert not help_.is_visible()
    reader.press("ArrowRight")
    assert reader.text("position") == "1 / 7"


def test_without_a_clipboard_the_link_is_there_to_copy(opened: Opener) -> None:
    reader = opened(FLAGGED, "#event=4")
    reader.page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    reader.press("l")
    address = reader.page.locator("[data-part=link]")
    address.wait_for(state="visible")
    assert address.input_value() == f"{reader.server}#event=4"


# -- eyes and fingers --------------------------------------------------------------------------------

CONTRASTS: Final = """() => {
    const ink = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const mixed = (over, [r, g, b]) => {
        ink.fillStyle = `rgb(${r} ${g} ${b})`;
        ink.fillRect(0, 0, 1, 1);
        ink.fillStyle = over;
        ink.fillRect(0, 0, 1, 1);
        return [...ink.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const behind = (node) => node ? mixed(getComputedStyle(node).backgroundColor, behind(node.parentElement)) : [255, 255, 255];
    const light = (rgb) => rgb.map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
        .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    const poor = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const node = walk.currentNode.parentElement;
        const off = node.closest("svg, script, [aria-disabled=true]") || !node.checkVisibility() || !walk.currentNode.data.trim();
        if (off) continue;
        const under = behind(node);
        const [low, high] = [light(under), light(mixed(getComputedStyle(node).color, under))].sort((a, b) => a - b);
        const ratio = (high + 0.05) / (low + 0.05);
        if (ratio < 4.5) poor.push(`${walk.currentNode.data.trim()}: ${ratio.toFixed(2)}`);
    }
    return poor;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_stands_out_from_what_is_behind_it(opened: Opener, scheme: str) -> None:
    for log in (FLAGGED, FORFEIT):
        reader = opened(log, scheme=scheme)
        for key in ("Home", "f", "End", "q", "Home", "d", "b"):
            reader.press(key)
            assert reader.page.evaluate(CONTRASTS) == [], key


def test_a_finger_drawn_across_the_table_steps(opened: Opener) -> None:
    reader = opened(FLAGGED, width=390)
    swipe = """([from, to, pointerType]) => {
        const table = document.querySelector("[data-part=table]");
        for (const [type, clientX] of [["pointerdown", from], ["pointerup", to]])
            table.dispatchEvent(new PointerEvent(type, { clientX, pointerType, bubbles: true }));
    }"""
    for start, end, kind, position in (
        (300, 100, "touch", "1 / 7"),
        (300, 100, "pen", "2 / 7"),
        (100, 300, "touch", "1 / 7"),
        (100, 110, "touch", "1 / 7"),
        (300, 100, "mouse", "1 / 7"),
    ):
        reader.page.evaluate(swipe, [start, end, kind])
        assert reader.text("position") == position


@pytest.mark.parametrize("lang", ["vi", "en"])
def test_on_a_phone_all_is_in_reach_and_large_enough(opened: Opener, lang: str) -> None:
    reader = opened(FORFEIT, lang=lang, width=390)
    for keys in (["f"], ["q", "Home", "d"], ["q", "End"]):
        reader.press(*keys)
        small = reader.page.evaluate(
            """() => [...document.querySelectorAll("button, select, input")].filter((node) => node.checkVisibility())
                .filter((node) => { const { width, height } = node.getBoundingClientRect(); return Math.min(width, height) < 43.9; })
                .map((node) => node.outerHTML)"""
        )
        assert small == []
        assert reader.page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0


def test_on_a_phone_every_given_name_is_whole_and_what_is_told_of_the_hand(opened: Opener) -> None:
    evening = (SAMPLES / "clb-mau-2026-11-28.ndjson").read_text("utf-8").splitlines()
    (log,) = [one for one in map(json.loads, evening) if one["hand_no"] == 15]
    reader = opened(log, width=390)
    cut = "node => node.scrollWidth - node.clientWidth"
    assert reader.page.locator(".tl-hand").evaluate(cut) == 0
    for _ in range(len(log["events"]) + 1):
        names = reader.page.locator("[data-part=table] .tl-seat > svg > text").all_text_contents()
        assert sorted(names) == ["Hà", "Khoa", "Lan", "Sơn"]
        reader.press("ArrowRight")


def test_nothing_moves_for_those_who_want_it_still(opened: Opener) -> None:
    moving = "getComputedStyle(document.querySelector('.tl-played')).animationName"
    reader = opened(FLAGGED, "#event=0")
    assert reader.page.evaluate(moving) == "tl-lay"
    reader.page.emulate_media(reduced_motion="reduce")
    assert reader.page.evaluate(moving) == "none"
