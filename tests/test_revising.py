"""Corrections: what a new revision changes, told beforehand, is what it changes once it is taken in."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import pytest
import streamlit as st
from click.testing import CliRunner, Result
from streamlit.testing.v1 import AppTest

from analyzer.cli import cli
from analyzer.judge.rulings import FORFEIT, About, Case, Decision, Moved
from analyzer.locale import LANGUAGES, translate
from analyzer.logs.notation import write
from analyzer.logs.reading import read
from analyzer.logs.refusal import Fault
from analyzer.reports.account import Account, make_account
from analyzer.reports.aligning import acts_of
from analyzer.reports.paper import moment_text
from analyzer.reports.rating import rate
from analyzer.reports.revisions import MOST, Section, sections_of, sections_text
from analyzer.revisions import Judged, compared, stored_version
from analyzer.store import queries
from analyzer.store.database import Database
from analyzer.store.ingest import ingest
from analyzer.store.journal import Journal
from analyzer.store.people import ALIAS, UNDONE, persons, relation
from analyzer.store.reader import Reader, open_reader
from analyzer.store.revising import (
    NotRevised,
    corrected,
    evening_changes,
    placings,
    revisions_of,
    take_in,
    version_of,
)
from analyzer.store.sessions import evening_findings, findings_with
from analyzer.store.treasury import closing_of, may_close
from dashboards import access, correcting, data
from dashboards.words import plain
from tests.hands import Log, hand_of, log, plays, raw
from tests.test_pages import opened, texts

EVENING: Final = Path(__file__).parents[1] / "sample_logs" / "clb-mau-2026-11-28.ndjson"
CLUB: Final = "clb-mau"
HAND: Final = "clb-mau-2026-11-28-15"
AT: Final = datetime(2026, 11, 30, 3, 0, tzinfo=UTC)


def correction() -> Log:
    """Hand 15 as it really was: Sơn did beat the queens, so he was not frozen and pays for nobody."""
    logs = [json.loads(line) for line in EVENING.read_text("utf-8").splitlines()]
    (found,) = [one for one in logs if one["hand_id"] == HAND]
    acts = ("3 2S 2C", "0", "1 2D 2H", "3", "1 AH", "2", "3", "0", "1 4H")
    found["events"] = found["events"][:6] + plays(*acts)
    del found["result"]
    return dict(found)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    ingest([EVENING], tmp_path / "db")
    return tmp_path / "db"


def judged(value: Log) -> Judged:
    hand, rules, _ = read(raw(value))
    account = make_account(hand, rules)
    return Judged(version_of(hand, rules, account.judgement), account)


def in_force(reader: Reader) -> Judged:
    (row,) = [row for row in revisions_of(reader, CLUB, HAND) if row["in_force"]]
    return stored_version(reader, row)


def lines(sections: list[Section], title: str, lang: str = "en") -> list[str]:
    (found,) = [section for section in sections if section.title.render("en") == title]
    return [line.render(lang).replace("\u00a0", " ") for line in found.lines]


def accounts(before: Log, after: Log) -> tuple[Account, Account]:
    return judged(before).account, judged(after).account


# -- act by act ------------------------------------------------------------------------------------


def marks(before: list[Log], after: list[Log], **keys: Any) -> str:
    found = acts_of(hand_of(log(before)), hand_of(log(after, **keys)))
    told = ""
    for act in found:
        kind = "+" if act.before is None else "-" if act.after is None else "~"
        told += kind if act.changed else "="
    return told


def test_an_act_that_was_forgotten_is_one_act_and_the_others_stay_the_same() -> None:
    full = plays("0 3S", "1 4S", "2", "3", "0", "1 6H", "2 7C", "3", "0 9C", "1")
    assert marks(full, full) == "=" * 10
    assert marks(full[:4] + full[5:], full) == "====+====="
    assert marks(full, full[:2] + full[3:]) == "==-======="
    assert marks(full, [*full[:5], *plays("1 8S"), *full[6:]]) == "=====~===="
    assert marks([], full[:2]) == "++"


def test_an_act_whose_time_alone_was_wrong_is_a_change_and_not_another_act() -> None:
    before = [{**event, "at": n} for n, event in enumerate(plays("0 3S", "1 4S", "2"))]
    after = [{**event, "at": n + (n == 1) * 0.5} for n, event in enumerate(before)]
    assert marks(before, after) == "=~="
    told = lines(sections_of(*accounts(log(before), log(after)), Case("", "")), "Act by act")
    assert told == [
        "  1  an plays 3♠ (0 s)",
        "− 2  binh plays 4♠ (1 s)",
        "+ 2  binh plays 4♠ (1.5 s)",
        "  3  chi passes (2 s)",
    ]


def test_who_sat_elsewhere_did_the_same_acts() -> None:
    full = plays("0 3S", "1 4S")
    moved = [{"id": name} for name in ("dung", "an", "binh", "chi")]
    assert marks(full, plays("1 3S", "2 4S"), players=moved, lead=None) == "=="


def test_what_else_a_log_says_is_told_field_by_field() -> None:
    one = log(plays("0 3S"), result={"places": [0, 1, 2, 3], "net": [1000, -1000, 0, 0]}, hand_no=3)
    deal: list[Any] = [list(holding) for holding in one["deal"]]
    deal[0][0], deal[1] = "??", None
    other = {**one, "deal": deal, "stake": 2000, "lead": {"reason": "agreed", "seat": 1}, "dealer": 2}
    other = {**other, "players": [{"id": "an", "name": "An"}, *one["players"][1:]], "hand_no": 4}
    other |= {"result": {"net": [1000, -1000, 0, 0]}, "rules": "mien-bac"}
    assert lines(sections_of(*accounts(one, other), Case("", "")), "In the log") == [
        "Players: an · binh · chi · dung → An (an) · binh · chi · dung",
        "Lead: an: won the previous hand → binh: as agreed",
        "House rules: mien-nam → mien-bac",
        "Stake: 1,000 points → 2,000 points",
        "Number of the hand: 3 → 4",
        "Dealer: not told → chi",
        "What was written down: an · binh · chi · dung; an +1,000 points; binh −1,000 points; chi 0 points; "
        "dung 0 points → An +1,000 points; binh −1,000 points; chi 0 points; dung 0 points",
        "Cards dealt to An: 3♠ 3♦ 4♣ 5♠ 5♥ 7♠ 7♦ 9♣ 10♥ J♦ Q♣ K♣ 2♠ → "
        "3♦ 4♣ 5♠ 5♥ 7♠ 7♦ 9♣ 10♥ J♦ Q♣ K♣ 2♠ ??",
        "Cards dealt to binh: 3♣ 4♠ 6♥ 8♠ 8♣ 10♦ J♥ Q♦ K♠ K♥ A♣ A♥ 2♣ → not known",
    ]


def test_two_endless_logs_that_have_little_in_common_are_compared_in_no_time() -> None:
    one = log(plays("0 3S", *(f"{n % 4}" for n in range(1, 1999))))
    other = log(plays("0 3S", *(f"{n * 7 % 4}" if n % 3 else f"{n % 4} 3S" for n in range(1, 1999))))
    before, after = accounts(one, other)
    start = perf_counter()
    found = sections_of(before, after, Case("", ""))
    assert perf_counter() - start < 10
    assert all(len(section.lines) <= MOST + 1 for section in found)
    assert lines(found, "Act by act")[-1] == "… and more."


# -- what it changes, worked by hand ---------------------------------------------------------------


def test_a_correction_that_moves_money_and_the_next_lead_is_told_to_the_last_dong(folder: Path) -> None:
    with open_reader(Database(folder)) as reader:
        sections = compared(reader, in_force(reader), judged(correction()), {}, Case(CLUB, HAND))
    # Stake 10.000. Before: Lan, Sơn and Hà frozen at 2 stakes, Sơn with two black twos at half a stake each,
    # and he bears all: 20.000 + (20.000 + 10.000) + (20.000 + 10.000, Hà's three consecutive pairs) = 80.000.
    # After: Lan and Hà are frozen and pay their own 20.000 and 30.000; Sơn came second and pays nothing.
    assert lines(sections, "Money") == [
        "Hà: 0 ₫ → −30,000 ₫ (frozen seats 0 ₫ → −30,000 ₫)",
        "Khoa: +80,000 ₫ → +50,000 ₫ (frozen seats +30,000 ₫ → +50,000 ₫; "
        "paying for the table +50,000 ₫ → 0 ₫)",
        "Lan: 0 ₫ → −20,000 ₫ (frozen seats 0 ₫ → −20,000 ₫)",
        "Sơn: −80,000 ₫ → 0 ₫ (frozen seats −30,000 ₫ → 0 ₫; paying for the table −50,000 ₫ → 0 ₫)",
    ]
    assert lines(sections, "Places") == [
        "Places, first to last: Khoa · Lan · Sơn · Hà → Places, first to last: Khoa · Sơn · Lan · Hà",
        "Frozen: Lan · Sơn · Hà → Lan · Hà",
    ]
    (forfeit,) = lines(sections, "Findings")
    assert forfeit.startswith("Paying for the table: Sơn pays for the table")
    assert forfeit.endswith("→ nobody")
    assert lines(sections, "Next lead") == [
        "Sơn: paid for the table in the previous hand → Khoa: won the previous hand"
    ]
    assert lines(sections, "The other hands of the evening") == [
        "new: hand 16 (clb-mau-2026-11-28-16): Khoa should lead (won the previous hand); the log says Sơn."
    ]
    assert [line.split(":")[0] for line in lines(sections, "Ratings")] == ["Hà", "Khoa", "Lan", "Sơn"]


def test_findings_that_a_correction_moves_stay_and_those_it_mends_go() -> None:
    wrong = log(plays("0 3S", "1 4S 6H", "2 5C", "3 4D"))
    mended = log([{"type": "count", "seat": 2}, *plays("0 3S", "1 4S", "2 5C", "3 4D")])
    found = lines(sections_of(*accounts(wrong, mended), Case("", "")), "Findings")
    assert found[0].startswith("no more: act 2: ")
    assert sum("does not beat" in line for line in found) == 0  # event 3 → event 4, the same finding


def test_what_is_told_beforehand_is_what_holds_once_it_is_taken_in(folder: Path) -> None:
    database = Database(folder)
    record = raw(correction())
    with open_reader(database) as reader:
        before, after = in_force(reader), judged(correction())
        gone, new = evening_changes(reader, before.version, after.version)
        told = {(f.code, f.hand.hand_id) for f in evening_findings(reader, CLUB, before.version.evening)}
        rated = rate(placings(reader, after.version, [], {}, 1000))
        assert rated != rate(placings(reader, before.version, [], {}, 1000))
        record = corrected(record, revisions_of(reader, CLUB, HAND), "Thư ký", "ghi sót", AT)
    report = take_in(database, record)
    assert (report.superseded, report.accepted, report.conflicting) == (1, 0, 0)
    with open_reader(database) as reader:
        now = {(f.code, f.hand.hand_id) for f in evening_findings(reader, CLUB, before.version.evening)}
        assert (
            now - told
            == {(f.code, f.hand.hand_id) for f in new}
            == {("session_wrong_lead", f"{HAND[:-2]}16")}
        )
        assert not gone
        assert not told - now
        assert (
            rate(queries.run(reader, "placings", club=CLUB, aliases=[], limit=1000)["persons"].to_list())
            == rated
        )
        net = reader.rows("SELECT net FROM seats WHERE hand_id = $hand ORDER BY seat", {"hand": HAND})
        assert [row["net"] for row in net] == [Decimal(n) for n in (-30_000, 50_000, -20_000, 0)]
        first, second = revisions_of(reader, CLUB, HAND)
        assert (first["revision"], first["in_force"], second["revision"], second["in_force"]) == (
            1,
            False,
            2,
            True,
        )
        assert (second["revised_by"], second["revision_reason"], second["revised_at"]) == (
            "Thư ký",
            "ghi sót",
            AT,
        )
        # The other way round it is the same, undone.
        back = evening_changes(
            reader, stored_version(reader, second).version, stored_version(reader, first).version
        )
        assert [f.code for f in back[0]] == ["session_wrong_lead"]
        assert not back[1]


def test_a_hand_put_in_the_place_of_itself_changes_nothing_in_any_evening(folder: Path) -> None:
    with open_reader(Database(folder)) as reader:
        for row in reader.rows("SELECT club_id, hand_id, evening FROM hands ORDER BY hand_no DESC LIMIT 6"):
            (stored,) = revisions_of(reader, row["club_id"], row["hand_id"])
            placed = stored_version(reader, stored).version.placed()
            found = findings_with(reader, row["club_id"], row["evening"], row["hand_id"], placed)
            plain = evening_findings(reader, row["club_id"], row["evening"])
            assert [(f.code, f.hand.hand_id) for f in found] == [(f.code, f.hand.hand_id) for f in plain]


def test_a_hand_that_moves_to_another_evening_is_missing_in_the_one_and_told_in_the_other(
    folder: Path,
) -> None:
    moved = {**correction(), "session_id": "tối khác"}
    with open_reader(Database(folder)) as reader:
        _gone, new = evening_changes(reader, in_force(reader).version, judged(moved).version)
    assert ("session_gap", f"{HAND[:-2]}16") in {(f.code, f.hand.hand_id) for f in new}


def test_ratings_are_of_persons_whatever_ids_they_have(folder: Path) -> None:
    Journal(Database(folder)).append(ALIAS, {"club": CLUB, "player": "son", "is": "lan"}, "An")
    known = persons(Journal(Database(folder)).entries(ALIAS, UNDONE))
    with open_reader(Database(folder)) as reader:
        found = placings(reader, judged(correction()).version, relation(known), known, 1000)
        assert all("son" not in one for one in found)
        assert len(placings(reader, in_force(reader).version, [], {}, 3)) == 3


def test_decisions_on_the_earlier_revision_are_named(folder: Path) -> None:
    with open_reader(Database(folder)) as reader:
        before, after = in_force(reader), judged(correction())
        sha = before.account.verdict.content_sha256
        moves = (Moved(0, 3, 30_000_000),)
        ruled = Decision(7, AT, "Trọng tài", sha, About(FORFEIT, 6, 3), "dismissed", "nhầm", moves)
        sections = compared(reader, before, after, {}, Case(CLUB, HAND, (ruled,)))
    assert lines(sections, "What was ruled") == [
        "dismissed by Trọng tài (entry 7) counts no money until it is decided again."
    ]


def test_the_money_told_beforehand_is_what_counts_after_the_rulings(folder: Path) -> None:
    with open_reader(Database(folder)) as reader:
        (row,) = [row for row in revisions_of(reader, CLUB, HAND) if row["in_force"]]
        before = in_force(reader)
        after = judged({**json.loads(row["log"]), "revision": {"number": 2, "reason": "x"}, "hand_no": 99})
        first, second = (each.account.verdict.content_sha256 for each in (before, after))
        ruled = Decision(4, AT, "Tổ", first, About(), "adjusted", "", (Moved(3, 0, 5_000_000),))
        again = replace(ruled, number=5, content_sha256=second)
        told = compared(reader, before, after, {}, Case(CLUB, HAND, (ruled,)))
        kept = compared(reader, before, after, {}, Case(CLUB, HAND, (ruled, again)))
    assert lines(told, "Money") == [
        "Hà: +5,000 ₫ → 0 ₫ (rulings +5,000 ₫ → 0 ₫)",
        "Sơn: −85,000 ₫ → −80,000 ₫ (rulings −5,000 ₫ → 0 ₫)",
    ]
    assert lines(told, "What was ruled") == [
        "adjusted by Tổ (entry 4) counts no money until it is decided again."
    ]
    assert lines(kept, "Money") == lines(kept, "What was ruled") == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_hostile_names_do_not_steer_a_terminal(lang: str) -> None:
    wicked = "\x1b[2J\u202e{x}%s"
    one = log(plays("0 3S"), players=[{"id": str(n), "name": wicked} for n in range(4)])
    other = {**one, "events": plays("0 3S", "1 4S"), "stake": 5}
    told = sections_text(sections_of(*accounts(one, other), Case("", "")), lang)
    assert "\x1b" not in told
    assert "\u202e" not in told
    assert "{x}%s" in told


# -- taking one in ---------------------------------------------------------------------------------


def stored(folder: Path) -> list[dict[str, Any]]:
    with open_reader(Database(folder)) as reader:
        return revisions_of(reader, CLUB, HAND)


def test_a_correction_keeps_all_that_the_log_says_but_its_revision(folder: Path) -> None:
    value = {**correction(), "_riêng": {"a": 1}, "stake": 10_000, "revision": {"number": 9, "by": "x"}}
    record = json.loads(corrected(raw(value), stored(folder), "Thư ký", "vì sao", AT))
    assert record.pop("revision") == {
        "number": 2, "by": "Thư ký", "at": "2026-11-30T03:00:00+00:00", "reason": "vì sao",
    }  # fmt: skip
    assert record == {key: item for key, item in value.items() if key != "revision"}


def test_what_is_no_correction_of_this_hand_is_refused_and_says_why(folder: Path) -> None:
    rows = stored(folder)
    same = rows[0]["log"].encode()
    for text, why in (
        (raw({**correction(), "hand_id": "khác"}), "expected 'clb-mau-2026-11-28-15'"),
        (raw({**correction(), "club_id": "khác"}), "of club 'clb-mau'"),
        (same, "revision 1 says, which is in force"),
        (b" " * (1 << 20) + b"{}", "at most"),
    ):
        with pytest.raises(NotRevised, match=why):
            corrected(text, rows, "A", "b", AT)
    for text in (b"", b"{", b"[]", raw({**correction(), "stake": 1.5}), raw({**correction(), "x": 1})):
        with pytest.raises(Fault):
            corrected(text, rows, "A", "b", AT)
    with pytest.raises(Fault):
        corrected(raw(correction()), rows, "A" * 300, "b", AT)


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [str(a) for a in arguments], prog_name="tienlen")


def test_the_command_shows_first_and_takes_in_with_a_reason(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "sua.json").write_bytes(raw(correction()))
    typed = tmp_path / "sua.van"
    typed.write_text(
        f"ván: {HAND}\nluật: mien-nam\ncược: 1 điểm\nngười chơi: An, Chi\nAn 9x\nAn 9c\n", "utf-8"
    )
    at = ("--db", folder, "--lang", "en")
    fix = ("revise", HAND, "--file", tmp_path / "sua.json", *at)
    done = run("revise", HAND, *at)
    assert (done.exit_code, "This hand was never corrected." in done.output) == (0, True)
    done = run(*fix)
    assert done.exit_code == 0
    assert "Revision 1 → revision 2" in done.output
    assert "+ 7  Sơn plays 2♠ 2♣" in done.output
    assert "Nothing was taken in" in done.output
    assert len(stored(folder)) == 1
    done = run(*fix, "--reason", "ghi sót", "--by", "Thư ký")
    assert done.exit_code == 0
    assert "The correction is taken in" in done.output
    done = run("revise", HAND, *at)
    assert "Revision 2 · Thư ký · " in done.output
    assert "ghi sót · in force" in done.output
    assert "Sơn: −80,000" in done.output
    back = run("revise", HAND, "--between", 2, 1, *at)
    assert "no more: hand 16" in back.output
    for arguments, why in (
        (fix, "there is nothing to correct"),
        (("revise", HAND, "--between", 1, 5, *at), "There are: 1, 2"),
        (("revise", HAND, "--reason", "x", *at), "--reason goes with --file"),
        ((*fix, "--reason", " "), "has a reason"),
        ((*fix, "--reason", "\u200b"), "The reason has a character that nobody sees: U+200B at position 1."),
        (
            (*fix, "--reason", "x", "--by", "Tổ\u2060"),
            "The name of who enters it has a character that nobody sees",
        ),
        (("revise", HAND, "--file", typed, *at), f"{typed}, line 5, column 4: "),
        (("revise", HAND, "--file", typed, *at), f"{typed}, line 6, column 4: "),
        (("revise", "khong-co", *at), "There is no hand 'khong-co'"),
    ):
        done = run(*arguments)
        assert done.exit_code
        assert why in done.output, done.output
    assert len(stored(folder)) == 2


def test_of_two_corrections_at_once_the_second_is_set_aside_and_not_lost(folder: Path) -> None:
    database, rows = Database(folder), stored(folder)
    other = correction()
    other["events"] = other["events"][:-1]
    first = corrected(raw(correction()), rows, "A", "một", AT)
    second = corrected(raw(other), rows, "B", "hai", AT)
    assert take_in(database, first).superseded == 1
    report = take_in(database, second)
    assert (report.superseded, report.conflicting) == (0, 1)
    assert [row["revised_by"] for row in stored(folder)] == [None, "A"]
    with open_reader(database) as reader:
        (kept,) = reader.rows("FROM conflicts SELECT log")
    assert json.loads(kept["log"])["revision"]["by"] == "B"


def closed(folder: Path) -> str:
    """Closes the evening of the hand; what it is called."""
    (first, *_) = stored(folder)
    closing = closing_of(CLUB, first["evening"], {}, "0" * 64)
    Journal(Database(folder)).append("evening_closed", closing.data(), "Tổ", may_close(closing))
    return str(first["evening"]).split(" ", 1)[-1]


def older(folder: Path) -> tuple[Log, str]:
    """A log that mends the first revision, where a second is in force; and what tells the second."""
    take_in(Database(folder), corrected(raw(correction()), stored(folder), "A", "ghi sót", AT))
    logs = [json.loads(row["log"]) for row in stored(folder)]
    return {**logs[0], "events": logs[0]["events"][:-1]}, "ghi sót · in force"


def test_the_command_tells_what_an_older_log_would_undo_and_that_the_evening_is_closed(
    folder: Path, tmp_path: Path
) -> None:
    log_, second = older(folder)
    unnamed, first = (
        "This log names no revision",
        "This log was made from revision 1, but revision 2 is in force.",
    )
    for revision, told in ((None, unnamed), ({"number": 1}, first), ({"number": 2}, None)):
        file = tmp_path / "sua.json"
        file.write_bytes(raw({**log_, "revision": revision} if revision else log_))
        done = run("revise", HAND, "--file", file, "--db", folder, "--lang", "en")
        assert done.exit_code == 0, done.output
        assert [told in done.output, second in done.output] if told else "would undo" not in done.output
        assert "was closed" not in done.output
    evening = closed(folder)
    done = run("revise", HAND, "--file", file, "--db", folder, "--lang", "en")
    assert f"The evening {evening} was closed on" in done.output


def test_the_page_tells_what_an_older_log_would_undo_and_which_of_two_mends_counts(
    monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    log_, second = older(folder)
    page = to_correct(monkeypatch, folder, "en")
    page.text_area[0].set_value(write(read(raw(log_))[0])).run()
    assert [one.value for one in page.warning] == []  # what was typed began with the revision in force
    page.file_uploader[0].set_value(("sua.json", raw(log_), "text/plain")).run()
    both, undone = (one.value for one in page.warning)
    assert "only the file counts" in both
    assert "This log names no revision" in undone and second in undone
    assert plain("30 Nov 2026 10:00 (+07:00)") in undone  # on the club's clock
    evening = closed(folder)
    page.run()
    assert plain(f"The evening {evening} was closed on") in page.warning[2].value


def test_a_saved_log_tells_which_revision_it_is(folder: Path) -> None:
    older(folder)
    (_, row) = stored(folder)
    saved, shown = correcting._kept(row["log"]), correcting._notation(row["log"])
    assert "sửa lần: 2" in saved and "sửa lần" not in shown


# -- on the page -----------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_lists_the_revisions_and_what_changed(
    monkeypatch: pytest.MonkeyPatch, folder: Path, lang: str
) -> None:
    take_in(Database(folder), corrected(raw(correction()), stored(folder), "Thư *ký*", "<b>sót</b>", AT))
    page = opened(monkeypatch, folder, "replay", lang, hand=HAND, club=CLUB)
    when = moment_text(datetime.fromisoformat("2026-11-30T10:00:00+07:00"), lang)
    assert f"2 · Thư *ký* · {when} · <b>sót</b>" in texts(page)
    assert f"tienlen revise {HAND} --file sua.json" in page.code[0].value  # who sits at this machine decides
    with open_reader(Database(folder)) as reader:
        one, other = (stored_version(reader, row) for row in revisions_of(reader, CLUB, HAND))
        shows(page, compared(reader, one, other, {}, Case(CLUB, HAND)), lang)


def shows(page: AppTest, sections: list[Section], lang: str) -> None:
    """Every line of the sections stands on the page."""
    shown = " ".join(texts(page).split())
    for section in sections:
        for line in section.lines:
            assert " ".join(line.render(lang).replace("\u00a0", " ").split()) in shown, line.render(lang)


def to_correct(monkeypatch: pytest.MonkeyPatch, folder: Path, lang: str) -> AppTest:
    return opened(monkeypatch, folder, "replay", lang, hand=HAND, club=CLUB)


def press(page: AppTest, label: str, lang: str) -> AppTest:
    (button,) = [one for one in page.button if one.label == translate(label, lang)]
    button.click().run()
    assert not page.exception, page.exception
    return page


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_hand_is_corrected_on_its_page_as_by_the_command(
    monkeypatch: pytest.MonkeyPatch, folder: Path, lang: str
) -> None:
    page = to_correct(monkeypatch, folder, lang)
    assert translate("Take in the correction", lang) not in [one.label for one in page.button]
    hand, _, _ = read(raw(correction()))
    page.text_area[0].set_value(write(hand)).run()
    with open_reader(Database(folder)) as reader:
        shows(page, compared(reader, in_force(reader), judged(correction()), {}, Case(CLUB, HAND)), lang)
    assert len(stored(folder)) == 1
    press(page, "Take in the correction", lang)
    why_not = plain(translate("Say why: a hand is corrected with a reason only.", lang))
    assert [one.value for one in page.error] == [why_not]
    order = [str(getattr(one, "label", "")) or str(getattr(one, "value", "")) for one in page.main]
    assert order.index(why_not) == order.index(translate("Take in the correction", lang)) + 1
    (why,) = [one for one in page.text_input if one.label == translate("Why is it corrected?", lang)]
    why.set_value(" ghi <b>sót</b> ")
    press(page, "Take in the correction", lang)
    done = translate("The correction is taken in; the earlier revisions stay readable.", lang)
    assert page.success[0].value == plain(done)
    first, second = stored(folder)
    assert (first["in_force"], second["in_force"]) == (False, True)
    assert (second["revised_by"], second["revision_reason"]) == (access.editor(), "ghi <b>sót</b>")
    assert read(second["log"].encode())[0].events == hand.events
    assert "2 · " in texts(page)
    assert page.text_area[0].value == write(hand)  # the next correction begins with the revision in force


def test_a_file_that_is_no_correction_is_refused_in_words(
    monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    page = to_correct(monkeypatch, folder, "en")
    (same,) = stored(folder)
    for name, text, why in (
        ("<b>x</b>.json", b"{", "<b>x</b>.json"),
        ("x.json", raw({**correction(), "hand_id": "*x*"}), "'*x*'"),
        ("x.van", b"v\xc3\xa1n: x\n\xff", "UTF-8"),
        ("x.van", "ván: x\nluật: mien-nam\nnước lạ".encode(), "nước"),
        ("x.json", b"\xef\xbb\xbf" + same["log"].encode(), "nothing to correct"),
    ):
        page.file_uploader[0].set_value((name, text, "text/plain")).run()
        assert not page.exception
        assert why in texts(page)
        assert all("<b>" not in one.value for one in page.error)
        assert "Take in the correction" not in [one.label for one in page.button]
    assert len(stored(folder)) == 1


def test_what_was_not_shown_is_not_taken_in(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Neither what was typed since, nor what would come upon another's correction; nor the same twice."""
    page = to_correct(monkeypatch, folder, "en")
    mended = write(read(raw(correction()))[0])
    page.text_area[0].set_value(mended).run()
    (why,) = [one for one in page.text_input if one.label == "Why is it corrected?"]
    page.text_area[0].set_value(mended.replace("Khoa 4♥", "Khoa bỏ"))
    why.set_value("x")
    press(page, "Take in the correction", "en")
    assert "changed meanwhile" in page.error[0].value
    page.text_area[0].set_value(mended).run()
    other = correction()
    other["events"] = other["events"][:-1]
    take_in(Database(folder), corrected(raw(other), stored(folder), "B", "hai", AT))
    monkeypatch.setenv("TIENLEN_DB", str(folder))
    (row,) = [one for one in stored(folder) if one["in_force"]]
    monkeypatch.setattr(st, "session_state", {"k-why": "x", "k2-why": "x"})
    text = mended.encode()
    correcting._take(row, text, "x", "k", 1, lambda: text)
    done, (told,) = st.session_state[correcting.TOLD]
    assert (done, "meanwhile" in told.render("en")) == (False, True)
    for _ in range(2):
        correcting._take(row, text, "x", "k", 2, lambda: text)
        assert st.session_state[correcting.TOLD][0]
    assert [one["revision"] for one in stored(folder)] == [1, 2, 3]
    monkeypatch.setattr(access, "editor", lambda: None)
    correcting._take(row, text, "x", "k2", 3, lambda: text)
    assert not st.session_state[correcting.TOLD][0]
    assert len(stored(folder)) == 3


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_hand_is_corrected_by_tapping(monkeypatch: pytest.MonkeyPatch, folder: Path, lang: str) -> None:
    page = opened(monkeypatch, folder, "entry", lang, hand=HAND, club=CLUB, correct="1")
    assert page.title[0].value == translate("Correct the hand", lang)
    monkeypatch.setattr(access, "editor", lambda: None)
    page.run()
    assert page.warning[0].value == translate("You may look at this hand, not correct it.", lang)


def test_the_table_begins_with_all_that_the_log_says_but_its_revision(
    monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    record = raw({**correction(), "_riêng": {"a": 1}, "revision": {"number": 2}})
    take_in(Database(folder), corrected(record, stored(folder), "A", "b", AT))
    monkeypatch.setenv("TIENLEN_DB", str(folder))
    version = data.open_version()
    hand = data.find_hand(version, HAND, CLUB)
    assert hand is not None
    begin = correcting.begin(version, hand)
    assert begin is not None
    assert begin["base"] == {**correction(), "_riêng": {"a": 1}}
    record = (
        raw({**correction(), "stake": 5000})[:-1] + b',"_x":"\\ud800"}'
    )  # half a character: no browser keeps it
    take_in(Database(folder), corrected(record, stored(folder), "A", "b", AT))
    version = data.open_version()
    hand = data.find_hand(version, HAND, CLUB)
    assert hand is not None
    assert correcting.begin(version, hand) is None
    page = opened(monkeypatch, folder, "entry", "en", hand=HAND, club=CLUB, correct="1")
    assert "what no browser can keep" in page.warning[0].value
    assert "\\ud800" in str(to_correct(monkeypatch, folder, "en").text_area[0].value)


@pytest.mark.parametrize("number", [b"9007199254740993", b"0.12345678901234567890", b"1e999", b"[1, -9e400]"])
def test_a_log_with_a_number_that_a_browser_would_change_is_not_tapped(
    monkeypatch: pytest.MonkeyPatch, folder: Path, number: bytes
) -> None:
    def begun(own: bytes, stake: int) -> object:
        record = raw({**correction(), "stake": stake})[:-1] + b',"_x":' + own + b"}"
        take_in(Database(folder), corrected(record, stored(folder), "A", "b", AT))
        version = data.open_version()
        hand = data.find_hand(version, HAND, CLUB)
        assert hand is not None
        return correcting.begin(version, hand)

    monkeypatch.setenv("TIENLEN_DB", str(folder))
    assert begun(number, 5000) is None
    assert begun(b"[9007199254740992, 0.1, 12.50, 1e300, true, null]", 6000) is not None


def test_a_reason_with_a_character_that_nobody_sees_is_not_taken_on_the_page(
    monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    monkeypatch.setenv("TIENLEN_DB", str(folder))
    (row,) = stored(folder)
    text = raw(correction())
    monkeypatch.setattr(st, "session_state", {"k-why": "a\u202eb"})
    correcting._take(row, text, "x", "k", 1, lambda: text)
    done, (told,) = st.session_state[correcting.TOLD]
    assert (done, "U+202E" in told.render("en")) == (False, True)
    assert len(stored(folder)) == 1


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_code_typed_into_the_search_leads_to_the_event_even_from_an_earlier_revision(
    monkeypatch: pytest.MonkeyPatch, folder: Path, lang: str
) -> None:
    code = f"tl:{stored(folder)[0]['content_sha256'][:12]}@7"
    take_in(Database(folder), corrected(raw(correction()), stored(folder), "A", "b", AT))
    page = opened(monkeypatch, folder, "hands", lang)
    page.text_input(key="text").set_value(f" {code.upper().replace('TL', 'tl')} ").run()
    (link,) = [one.proto for one in page.get("page_link") if "event" in one.proto.query_string]
    assert f"hand={HAND}" in link.query_string
    assert "event=6" in link.query_string
    page.text_input(key="text").set_value("tl:000000000000@1").run()
    assert "tl:000000000000@1" in texts(page)
    page = opened(monkeypatch, folder, "replay", lang, hand=code)
    assert page.info
