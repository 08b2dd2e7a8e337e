"""The ruling sheet: everything that a dispute needs on one sheet, and the same bytes for everybody."""

from __future__ import annotations

import html
import os
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner, Result

from analyzer.cli import cli
from analyzer.judge.rulings import FORFEIT, WHOLE, About, Case, Claim, Decision, Moved, Turned
from analyzer.locale import LANGUAGES
from analyzer.logs.codes import Code, code_of, read_code
from analyzer.logs.reading import read
from analyzer.printing import NotPrinted, pdf_of, settled
from analyzer.reports.account import Account, make_account
from analyzer.reports.points import points_of
from analyzer.reports.ruling_sheet import ruling_sheet, sheet_name
from analyzer.store.ingest import ingest
from tests.hands import log, plays, raw

SAMPLES: Final = Path(__file__).parents[1] / "sample_logs" / "mien-nam"
AT: Final = datetime(2026, 11, 30, 1, 30, tzinfo=UTC)
CSS: Final = re.compile(r"<style>.*?</style>", re.DOTALL)


def account_of(name: str, **changes: Any) -> Account:
    hand, rules, _ = read((SAMPLES / f"{name}.json").read_bytes())
    return make_account(hand, rules)


def text_of(page: str) -> str:
    """What somebody reads, as one line."""
    shown = re.sub(r"<[^>]+>", " ", CSS.sub("", page).replace("</li>", "\n"))
    return " ".join(html.unescape(shown).split())


def case_of(account: Account, *steps: Decision | Turned) -> Case:
    sha = account.verdict.content_sha256
    claim = Claim(1, AT, "thu-ky", "Chi", "An có heo mà không chặn", sha)
    return Case("", account.hand.hand_id, (claim, *steps))


# -- what stands on it -----------------------------------------------------------------------------


def test_a_forfeit_stands_on_it_with_everything_that_was_asked_for() -> None:
    account = account_of("den-bai")
    shown = text_of(ruling_sheet(account, "en"))
    sha = account.verdict.content_sha256
    for wanted in (
        f"Log, SHA-256 {sha}",
        f"Rules, SHA-256 {account.rules.sha256}",
        "Agreed rules Southern (online portal) [mien-nam]",
        "An 3♦ 5♣ 5♥ 6♥ 7♣ 7♦ 9♠ 10♠ 10♥ J♦ Q♠ Q♣ 2♠",  # the deal
        "Trick 2 5 empty table Dũng plays A♥ An 13 · Bình 13 · Chi 13 · Dũng 4",  # the course
        f"Act number 6 · tl:{sha[:12]}@6 On the table A♥ · Dũng",
        "Holding before it An: 3♦ 5♣ 5♥ 6♥ 7♣ 7♦ 9♠ 10♠ 10♥ J♦ Q♠ Q♣ 2♠",
        "Every legal alternative 2 : 2♠ | to pass",
        "rule forfeit.all_frozen = on",
        "«Hướng dẫn chơi Tiến lên miền Nam» L82",
        "How sure certain What it hangs on Every holding is known",
        "Money as settled if upheld if dismissed",
        "☐ upheld ☐ dismissed ☐ adjusted",
        "Nothing has been claimed or decided yet.",
    ):
        assert wanted in shown, wanted
    # Worked by hand: three frozen seats pay 2 stakes of 10.000 each, An half a stake for a rotten black two;
    # An, who could have blocked with it, bears 65.000 of that, and 25.000 if the forfeit is dismissed.
    nbsp = "\u00a0₫"
    assert f"An −65,000{nbsp} −65,000{nbsp} −25,000{nbsp}".replace("\u00a0", " ") in shown
    assert "Bình 0 ₫ 0 ₫ −20,000 ₫" in shown
    assert "Dũng +65,000 ₫ +65,000 ₫ +65,000 ₫" in shown


def test_a_possible_forfeit_says_which_cards_it_hangs_on_and_what_it_would_cost() -> None:
    account = account_of("chua-ro-bai-co-the-den")
    shown = text_of(ruling_sheet(account, "en"))
    assert "How sure possible: unknown cards decide" in shown
    assert "Bình 13 cards, Chi 13 cards, Dũng 13 cards at the deal, out of these 39: 3♣ 3♦ 3♥ 4♠" in shown
    assert "whether Bình held a play that beats what lay there, at act 2 on 3♠ 4♥ 5♦" in shown
    assert "; act 10 on A♣ A♥." in shown
    # Not charged: the three pay 20.000 each; upheld, Bình pays all three.
    assert "Bình −20,000 ₫ −60,000 ₫ −20,000 ₫" in shown
    assert "Chi −20,000 ₫ 0 ₫ −20,000 ₫" in shown


def test_every_finding_of_every_sample_is_a_point_with_its_rule_and_every_alternative() -> None:
    met = 0
    for path in sorted(SAMPLES.glob("*.json")):
        hand, rules, _ = read(path.read_bytes())
        account = make_account(hand, rules)
        points = points_of(account)
        verdict = account.verdict
        assert len(points) == len(verdict.violations) + (verdict.forfeit is not None), path.name
        shown = text_of(ruling_sheet(account, "vi"))
        for violation in verdict.violations:
            assert " ".join(violation.message["vi"].split()) in shown, (path.name, violation.code)
            assert f"luật {violation.rule}" in shown
        for block in verdict.missed_blocks:
            for point in points:
                if point.about.event == block.event and point.about.code == FORFEIT:
                    assert point.plays is not None
                    assert point.plays[: len(block.options)] == block.options
                    assert len(point.plays) == block.option_count
                    met += 1
    assert met > 2


def test_more_alternatives_than_a_verdict_lists_are_all_on_the_sheet() -> None:
    hand, rules, _ = read(raw(log(plays("0 3S", "1 4S", "2 2H", "3 4D"))))
    account = make_account(hand, rules)
    (point,) = [point for point in points_of(account) if point.about.code == "does_not_beat"]
    assert point.plays == []
    hand, rules, _ = read(raw(log(plays("0 3S", "1 4S 6H"))))
    (point,) = [p for p in points_of(make_account(hand, rules)) if p.about.code == "not_a_combination"]
    assert point.plays is not None
    assert len(point.plays) == 13  # everything beats the three of spades: more than the eight of a verdict
    assert "13: 3♣ | 4♠ | 6♥" not in text_of(ruling_sheet(make_account(hand, rules), "en"))
    assert "14 : 3♣ | 4♠ | 6♥ | 8♠ | 8♣" in text_of(ruling_sheet(make_account(hand, rules), "en"))


def test_the_whole_agreement_stands_on_it_and_what_is_this_table_s_own() -> None:
    own = {"extends": "mien-nam", "set": {"prices.two_hearts": 2}}
    hand, rules, _ = read(raw(log(plays("0 3S"), rules=own)))
    shown = text_of(ruling_sheet(make_account(hand, rules), "en"))
    assert "This table's own Price of the two of hearts: 2 (prices.two_hearts)" in shown
    for path in rules.flat():
        assert path in shown or path in ("chops", "places", "card_count"), path


# -- what was decided ------------------------------------------------------------------------------


def test_decisions_stand_at_their_points_with_the_money_before_and_after() -> None:
    account = account_of("den-bai")
    sha = account.verdict.content_sha256
    about = About(FORFEIT, 5, 0)
    moves = (Moved(1, 0, 20_000_000), Moved(2, 0, 20_000_000))
    first = Decision(2, AT, "trong-tai", sha, about, "upheld", "đúng luật")
    second = Decision(3, AT, "trong-tai", sha, about, "dismissed", "An đếm nhầm", moves)
    closed = Turned(4, datetime(2026, 11, 30, 2, 0, tzinfo=UTC), "chu-tich", "closed", "xong")
    case = case_of(account, first, second, closed)
    shown = text_of(ruling_sheet(account, "en", case))
    assert "dismissed : An đếm nhầm Bình pays An 20,000 ₫ Chi pays An 20,000 ₫" in shown
    assert "trong-tai, entry 3, 30 Nov 2026 08:30 (+07:00)" in shown
    assert "upheld : đúng luật trong-tai, entry 2, 30 Nov 2026 08:30 (+07:00) replaced by a later" in shown
    assert "An −65,000 ₫ −65,000 ₫ −25,000 ₫ −25,000 ₫" in shown  # settled, upheld, dismissed, decided
    assert "An 2 −65,000 ₫ +40,000 ₫ −25,000 ₫" in shown
    assert "Bình 3 0 ₫ −20,000 ₫ −20,000 ₫" in shown
    assert "Bình pays An 20,000 ₫: ruling, entry 3" in shown
    assert "Chi claims: An có heo mà không chặn" in shown
    assert "as of entry 4, 30 Nov 2026 09:00 (+07:00): closed" in shown
    assert "☐" not in shown


def test_a_decision_on_another_revision_or_on_the_whole_hand_is_told_as_such() -> None:
    account = account_of("den-bai")
    sha = account.verdict.content_sha256
    old = Decision(2, AT, "tt", "0" * 64, About(FORFEIT, 5, 0), "dismissed", "cũ", (Moved(1, 0, 5_000),))
    whole = Decision(3, AT, "tt", sha, WHOLE, "adjusted", "đền nước", (Moved(0, 3, 1_500),))
    shown = text_of(ruling_sheet(account, "en", case_of(account, old, whole)))
    assert "Ruled on another revision of the log: it moves no money here" in shown
    assert "the hand as a whole: adjusted : đền nước An pays Dũng 1.5 ₫" in shown
    assert "An 2 −65,000 ₫ −1.5 ₫ −65,001.5 ₫" in shown


def test_a_decision_on_an_act_whose_number_moved_says_where_the_finding_is_now() -> None:
    account = account_of("den-bai")
    moved = Decision(2, AT, "tt", "0" * 64, About(FORFEIT, 4, 0), "dismissed", "cũ")
    gone = Decision(3, AT, "tt", "0" * 64, About("does_not_beat", 1, 1), "dismissed", "cũ")
    shown = text_of(ruling_sheet(account, "en", case_of(account, moved, gone)))
    assert (
        "decided on another revision: pays for the table (act 5). It may be that in act 6 now: decide anew there."
    ) in shown
    assert (
        "decided on another revision: played what does not beat (act 2). That is not there any more"
    ) in shown
    assert "does_not_beat" not in shown.partition("All the rules")[0]


def test_no_sheet_tells_a_word_of_a_rule_file_in_its_prose() -> None:
    shown = CSS.sub("", ruling_sheet(account_of("den-bai"), "en"))
    assert "`" not in shown
    assert "pay_each" not in shown


# -- the same for everybody ------------------------------------------------------------------------

PRINT: Final = """
import sys
from pathlib import Path
sys.path.append(str(Path.cwd()))  # after an installed program, which may be the compiled one
from tests.test_ruling_sheet import account_of, ruling_sheet
sys.stdout.buffer.write(ruling_sheet(account_of(sys.argv[1]), sys.argv[2], address="https://x.example").encode())
"""


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", ["den-bai", "chua-ro-bai-co-the-den", "hai-loi-mot-van"])
def test_two_people_who_print_it_get_the_same_bytes(name: str, lang: str) -> None:
    worlds = (
        {"TZ": "Asia/Ho_Chi_Minh", "LANG": "vi_VN.UTF-8", "PYTHONHASHSEED": "1", "TIENLEN_LANG": "vi"},
        {"TZ": "America/Lima", "LANG": "C", "LC_ALL": "C", "PYTHONHASHSEED": "77", "TIENLEN_LANG": "en"},
    )
    pages = [
        subprocess.run(
            [sys.executable, "-c", PRINT, name, lang],
            env={**os.environ, **world},
            cwd=Path(__file__).parents[1],
            capture_output=True,
            check=True,
        ).stdout
        for world in worlds
    ]
    assert pages[0] == pages[1]
    assert len(pages[0]) > 10_000


# -- codes and links -------------------------------------------------------------------------------


def test_a_code_is_read_as_it_is_written_and_nothing_else_is_one() -> None:
    sha = "5aee0dc51779" + "0" * 52
    for event in (None, 0, 17, 1999):
        assert read_code(str(code_of(sha, event))) == Code("5aee0dc51779", event)
    assert read_code("  TL: 5AEE0DC51779@5 ") == Code("5aee0dc51779", 4)
    for other in ("", "tl:", "tl:5aee0dc5177", "tl:5aee0dc51779@", "tl:5aee0dc51779@-1", "tl:5aee0dc51779@0", "tl:5aee0dc5177g@1",
                  "tl:5aee0dc517791", "5aee0dc51779@5", "tl:5aee0dc51779@99999", "tl:5aee0dc51779@٣"):  # fmt: skip
        assert read_code(other) is None, other


def test_links_lead_to_the_event_where_the_pages_have_an_address_and_nothing_is_loaded() -> None:
    hand, rules, _ = read(raw(log(plays("0 3S", "2 4C"), hand_id="ván & 7", club_id="q<1>")))
    page = ruling_sheet(make_account(hand, rules), "vi", address="https://bai.example.com/")
    links = re.findall(r'(?:href|src)="([^"]*)"', page)
    assert "https://bai.example.com/replay?hand=v%C3%A1n+%26+7&amp;club=q%3C1%3E&amp;event=1" in links
    assert all(link.startswith("https://bai.example.com/replay?") for link in links)
    bare = ruling_sheet(make_account(hand, rules), "vi")
    assert "http" not in CSS.sub("", bare).replace("http-equiv", "")
    assert not re.search(r"<(script|img|link|iframe|object)", bare)
    assert "url(" not in bare


def test_the_time_of_a_revision_is_told_on_the_clocks_of_the_club() -> None:
    revision = {"number": 2, "by": "Ban tổ chức", "at": "2026-11-29T18:05:00+00:00", "reason": "đọc nhầm"}
    hand, rules, _ = read(raw(log(plays("0 3S"), revision=revision)))
    page = ruling_sheet(make_account(hand, rules), "vi", None, zone="Asia/Ho_Chi_Minh")
    assert "Ban tổ chức · 30/11/2026 01:05 (+07:00) · đọc nhầm" in page


WICKED: Final = "</style></section><script>alert(1)</script>\u202e<b>"


def test_wicked_names_notes_and_reasons_are_text() -> None:
    value = log(
        [*plays("0 3S 3D", "1 4S", "2", "3"), {"type": "note", "text": WICKED * 100}],
        players=[{"id": str(n), "name": WICKED + str(n)} for n in range(4)],
        hand_id=WICKED,
        club_id=WICKED,
        session_id=WICKED,
        revision={"number": 2, "by": WICKED, "reason": WICKED},
    )
    hand, rules, _ = read(raw(value))
    account = make_account(hand, rules)
    sha = account.verdict.content_sha256
    decision = Decision(2, AT, WICKED, sha, WHOLE, "upheld", WICKED)
    case = Case(WICKED, WICKED, (Claim(1, AT, WICKED, WICKED, WICKED, sha), decision))
    page = ruling_sheet(account, "en", case, address='https://x.example/"><script>')
    assert "<script" not in page
    assert "<b>" not in page
    assert "\u202e" not in page
    assert page.count("</style>") == 1
    assert len(re.findall("<section", page)) == len(points_of(account)) == page.count("</section>")
    assert sheet_name("../../etc/<x>") == "phan-xu-etc-x.html"
    assert sheet_name("///", ".pdf") == "phan-xu.pdf"


# -- commands --------------------------------------------------------------------------------------


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [str(a) for a in arguments], prog_name="tienlen")


def test_export_and_replay_write_the_same_sheet_by_id_and_by_code(tmp_path: Path) -> None:
    ingest([SAMPLES / "den-bai.json"], tmp_path / "db")
    code = str(code_of(account_of("den-bai").verdict.content_sha256, 5))
    for name, hand in (("a", "mau-den-bai"), ("b", code)):
        done = run(
            "export", "ruling", hand, "-o", tmp_path / f"{name}.html", "--db", tmp_path / "db", "--lang", "vi"
        )
        assert done.exit_code == 0, done.output
    done = run("replay", SAMPLES, "--hand", code, "--sheet", tmp_path / "c.html", "--lang", "vi")
    assert done.exit_code == 1  # a forfeit was found
    assert "▶   6  [A♥ · Dũng]  An bỏ lượt" in done.output
    pages = [(tmp_path / f"{name}.html").read_bytes() for name in "abc"]
    assert pages[0] == pages[1] == pages[2] == ruling_sheet(account_of("den-bai"), "vi").encode()


def test_what_cannot_be_written_is_said_and_nothing_is_written(tmp_path: Path) -> None:
    ingest([SAMPLES / "den-bai.json"], tmp_path / "db")
    at_db = ("--db", str(tmp_path / "db"), "--lang", "en")
    for arguments, why in (
        (("export", "ruling", "mau-den-bai", "-o", tmp_path / "x.doc", *at_db), ".html or .pdf"),
        (("export", "ruling", "khong-co", "-o", tmp_path / "x.html", *at_db), "There is no hand 'khong-co'"),
        (("export", "ruling", "tl:000000000000@1", "-o", tmp_path / "x.html", *at_db), "There is no hand"),
        (("export", "ruling", "mau-den-bai", "-o", tmp_path / "x.html", "--address", "javascript:1", *at_db), "no address"),
        (("replay", SAMPLES, "--sheet", tmp_path / "x.html", "--lang", "en"), "--sheet takes one hand"),
    ):  # fmt: skip
        done = run(*arguments)
        assert done.exit_code, arguments
        assert why in done.output
    assert [path.name for path in tmp_path.iterdir()] == ["db"]


# -- on paper --------------------------------------------------------------------------------------


def test_without_a_browser_the_message_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(NotPrinted, match=r"Install it .* or write the sheet as \.html"):
        pdf_of("<p>")


@pytest.mark.browser
def test_it_prints_as_the_same_pdf_whoever_prints_it(tmp_path: Path) -> None:
    page = ruling_sheet(account_of("den-bai"), "vi")
    one = pdf_of(page, AT)
    assert one.startswith(b"%PDF")
    assert b"(D:20261130013000+00'00')" in one
    assert len(re.findall(rb"/Type /Page\b", one)) > 3
    script = (
        "import sys; from pathlib import Path; from datetime import UTC, datetime\n"
        "from analyzer.printing import pdf_of\n"
        "sys.stdout.buffer.write(pdf_of(Path(sys.argv[1]).read_text('utf-8'), "
        "datetime(2026, 11, 30, 1, 30, tzinfo=UTC)))"
    )
    (tmp_path / "p.html").write_text(page, "utf-8")
    other = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "p.html")],
        env={**os.environ, "TZ": "America/Lima", "LANG": "C"},
        capture_output=True,
        check=True,
    ).stdout
    assert one == other
    assert pdf_of(page.replace("Dũng", "Dung"), AT) != one


@pytest.mark.browser
def test_the_commands_write_a_pdf_too(tmp_path: Path) -> None:
    ingest([SAMPLES / "den-bai.json"], tmp_path / "db")
    one, other = tmp_path / "a.pdf", tmp_path / "b.PDF"
    done = run("export", "ruling", "mau-den-bai", "-o", one, "--db", tmp_path / "db", "--lang", "vi")
    assert done.exit_code == 0, done.output
    run("replay", SAMPLES / "den-bai.json", "--sheet", other, "--lang", "vi")
    assert one.read_bytes() == other.read_bytes()
    assert one.read_bytes().startswith(b"%PDF")


def test_what_differs_from_printing_to_printing_is_taken_out_of_a_pdf() -> None:
    # As Chromium 156 writes them: the date of printing, and numbers of nodes that shift by chance.
    one = b"%PDF /CreationDate (D:20261130221500+07'00') /ID (node00000039) /Headers [(node0000000a)]"
    other = b"%PDF /CreationDate (D:20261201000000-05'00') /ID (node00000040) /Headers [(node0000000a)]"
    assert settled(one, AT) == settled(other, AT)
    assert settled(one, AT) == (
        b"%PDF /CreationDate (D:20261130013000+00'00') /ID (node00000002) /Headers [(node00000001)]"
    )
