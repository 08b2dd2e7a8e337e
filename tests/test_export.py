"""A hand as one file, and the legal plays that stand in it."""

from __future__ import annotations

import base64
import hashlib
import json
import os
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner, Result

from analyzer.cards import OPEN
from analyzer.cli import cli
from analyzer.judge.judging import judge
from analyzer.locale import LANGUAGES, translate
from analyzer.logs.carriers import Read, records, source_files
from analyzer.logs.hand import PassEvent, PlayEvent
from analyzer.logs.reading import read
from analyzer.logs.refusal import Refusal
from analyzer.reports import choices
from analyzer.reports.account import make_account
from analyzer.reports.anonymise import Pseudonyms, anonymise
from analyzer.reports.choices import choices_of
from analyzer.reports.export import file_name, replay_file
from analyzer.reports.files import write_file
from analyzer.reports.view import view_of
from analyzer.rules.house import house_of
from analyzer.store.ingest import ingest
from tests.hands import DEAL, hand_of, log, plays, raw

SAMPLES: Final = Path(__file__).parents[1] / "sample_logs"
SECRETS: Final = {
    "hand_id": "ván-Zqxhand",
    "club_id": "Zqxclub",
    "session_id": "Zqxtối",
    "table_id": "Zqxbàn",
    "players": [{"id": f"zqxid{n}", "name": f"Zqxtên{n}"} for n in range(4)],
    "revision": {"number": 1, "by": "Zqxthư ký", "at": "2026-11-28T21:05:00+07:00", "reason": "Zqxlý do"},
    "played_at": "2026-11-28T21:05:00+07:00",
    "hand_no": 7654321,
    "_note": "Zqxriêng",
}
SECRET: Final = log([*plays("0 3S 3D", "1 4S", "2", "3"), {"type": "note", "text": "Zqxtên1 cãi"}], **SECRETS)


class Page(HTMLParser):
    """The parts of a file that a browser would run, draw or load."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.parts: dict[str, list[str]] = {"script": [], "style": []}
        self.loads: list[str] = []
        self.policy = ""
        self._open: str | None = None
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        self.loads += [told[name] or "" for name in ("src", "href") if name in told]
        if told.get("http-equiv") == "Content-Security-Policy":
            self.policy = told["content"] or ""
        self._open = tag
        if tag in self.parts:
            self.parts[tag].append("")

    def handle_endtag(self, tag: str) -> None:
        self._open = None

    def handle_data(self, data: str) -> None:
        if self._open in self.parts:
            self.parts[self._open][-1] += data

    @property
    def data(self) -> Any:
        return json.loads(self.parts["script"][0])


def file_of(value: dict[str, Any], lang: str = "vi", *, names: bool = True) -> str:
    hand, rules, _ = read(raw(value))
    return replay_file(hand, rules, lang, names=names)


# -- the legal plays ---------------------------------------------------------------------------------

ABOUT_CARDS: Final = {
    "opening_card_missing", "card_not_held", "card_already_played", "not_a_combination",
    "combination_not_allowed", "wrong_kind", "wrong_suit", "does_not_beat", "chop_not_allowed",
    "finished_with_two",
}  # fmt: skip


def test_a_play_in_turn_is_listed_exactly_if_no_check_objects_and_a_pass_has_plays_exactly_if_it_missed() -> (
    None
):
    met = {"legal": 0, "not legal": 0, "missed": 0, "forced": 0}
    for source in source_files([str(SAMPLES)]):
        assert not isinstance(source, Refusal)
        for record in records(source):
            assert isinstance(record, Read)
            frames: list[Any] = []
            judged = judge(record.hand, house_of(record.rules), frames)
            wrong = {f.event for f in judged.findings if f.code in ABOUT_CARDS and f.severity == "error"}
            led = {f.event for f in judged.findings if f.code == "pass_on_lead"}
            missed = {entry.event for entry in judged.replay.missed}
            for index, choice in enumerate(choices_of(judged, frames, None)):
                event = record.hand.events[index]
                if choice is None:
                    continue
                if any(OPEN in card for card in getattr(event, "cards", None) or ()):
                    continue  # what may be played is listed with suits, and nobody remembers these
                if isinstance(event, PlayEvent):
                    listed = set(event.cards) in [set(cards) for cards in choice.plays]
                    assert listed == (index not in wrong), (record.hand.hand_id, index)
                    met["legal" if listed else "not legal"] += 1
                elif choice.whole and index not in led:
                    assert isinstance(event, PassEvent)
                    assert bool(choice.count) == (index in missed), (record.hand.hand_id, index)
                    met["missed" if choice.count else "forced"] += 1
    assert all(met.values()), met


def test_a_missed_block_lists_the_plays_that_the_verdict_tells() -> None:
    hand, rules, _ = read(raw(log(plays("0 3S 3D", "1", "2", "3"))))
    account = make_account(hand, rules)
    found = choices_of(account.judgement, account.frames)
    assert account.verdict.missed_blocks
    for block in account.verdict.missed_blocks:
        choice = found[block.event]
        assert choice is not None
        assert choice.plays[: len(block.options)] == block.options
        assert choice.count == block.option_count


def test_at_most_twelve_plays_are_listed_and_all_are_counted() -> None:
    hand, rules, _ = read(raw(log(plays("0 3S"))))
    account = make_account(hand, rules)
    (choice,) = choices_of(account.judgement, account.frames)
    assert choice is not None
    assert len(choice.plays) == choices.SHOWN < choice.count
    assert choice.lead
    assert choice.whole


def test_of_a_holding_that_nobody_was_ever_dealt_nothing_is_listed() -> None:
    deck = [card for holding in DEAL for card in holding]
    hand, rules, _ = read(raw(log(plays("0 3S"), deal=[deck, [], [], []])))
    account = make_account(hand, rules)
    assert choices_of(account.judgement, account.frames) == [None]


def test_of_cards_that_nobody_knows_it_is_said_that_they_are_not_known() -> None:
    hand, rules, _ = read(raw(log(plays("0 3S", "1"), deal=None)))
    account = make_account(hand, rules)
    first, second = choices_of(account.judgement, account.frames)
    assert first is not None
    assert second is not None
    assert (first.plays, first.whole) == ([["3S"]], False)
    assert (second.plays, second.count, second.whole) == ([], 0, False)


def test_a_word_given_leaves_no_choice() -> None:
    said = {"type": "say", "seat": 1, "meaning": "pass"}
    hand, rules, _ = read(raw(log([*plays("0 3S"), said, *plays("1", "2 4H")])))
    account = make_account(hand, rules)
    found = choices_of(account.judgement, account.frames)
    assert [choice is not None for choice in found] == [True, False, False, True]


# -- the file ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("names", [True, False])
def test_its_policy_allows_its_own_script_and_style_and_it_loads_nothing(names: bool) -> None:
    page = Page(file_of(SECRET, names=names))
    _data, script = page.parts["script"]
    (style,) = page.parts["style"]
    for kind, text in (("script", script), ("style", style)):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}';" in page.policy
    assert page.policy.startswith("default-src 'none';")
    assert "unsafe" not in page.policy
    assert page.loads == ["data:,"]
    assert "@import" not in style
    assert "url(" not in style


def test_it_holds_the_same_view_as_the_page() -> None:
    hand, rules, _ = read(raw(SECRET))
    data = Page(replay_file(hand, rules, "en")).data
    assert data["view"] == view_of(make_account(hand, rules))
    assert data["lang"] == "en"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_without_names_nothing_of_them_is_left_anywhere(lang: str) -> None:
    assert file_of(SECRET, lang).lower().count("zqx") > 10
    text = file_of(SECRET, lang, names=False)
    data = json.dumps(Page(text).data, ensure_ascii=False)
    for told in (text, data):
        assert "zqx" not in told.lower()
        assert "2026-11-28" not in told
        assert "7654321" not in told
    hand, rules, _ = read(raw(SECRET))
    assert make_account(hand, rules).verdict.content_sha256 not in text
    for letter in "ABCD":
        assert f"Người chơi {letter}" in data
        assert f"Player {letter}" in data
    assert translate("(left out)", "vi") in data


def test_without_names_play_and_money_are_the_same() -> None:
    named, nameless = (Page(file_of(SECRET, names=names)).data["view"] for names in (True, False))
    assert nameless["frames"] == named["frames"]
    assert [(e["type"], e["seat"], e["cards"], e["choice"]) for e in nameless["events"]] == [
        (e["type"], e["seat"], e["cards"], e["choice"]) for e in named["events"]
    ]
    assert nameless["net"] == named["net"]
    assert [f["code"] for e in nameless["events"] for f in e["flags"]] == [
        f["code"] for e in named["events"] for f in e["flags"]
    ]


def test_the_same_person_has_the_same_letter_wherever_they_sit() -> None:
    people = Pseudonyms()
    seated = [{"id": "an"}, {"id": "binh"}, {"id": "chi"}, {"id": "dung"}]
    first = anonymise(hand_of(log(plays("0 3S"), players=seated)), people, "en")
    second = anonymise(hand_of(log(plays("0 3S"), players=[{"id": "em"}, *seated[::-1][:3]])), people, "en")
    assert [player.name for player in first.players] == ["Player A", "Player B", "Player C", "Player D"]
    assert [player.name for player in second.players] == ["Player E", "Player D", "Player C", "Player B"]
    assert people.letter("another club", "an") == "F"
    assert [people.letter("", str(n)) for n in range(22)][-2:] == ["AA", "AB"]


WICKED: Final = ["</script><script>alert(1)</script>", "a\u2028b\u2029c", "x\u202ey\u2066z", "<!--<script>"]


def test_no_name_leaves_the_data_it_stands_in() -> None:
    players = [{"id": str(n), "name": name} for n, name in enumerate(WICKED)]
    text = file_of(log(plays("0 3S 3D", "1 4S"), players=players, hand_id="</title><b>"))
    page = Page(text)
    assert len(page.parts["script"]) == 2
    assert "</title><b>" not in text
    assert not set(page.parts["script"][0]) & set("<>&\u2028\u2029\u202e\u2066")
    names = [player["name"] for player in page.data["view"]["players"]]
    assert names == [WICKED[0], "a b c", "x�y�z", WICKED[3]]


@pytest.mark.parametrize(
    ("hand_id", "name"),
    [
        ("toi-7", "van-toi-7.html"),
        ("../../etc/x", "van-etc-x.html"),
        ("ván ♥", "van-v-n.html"),
        ("♥", "van.html"),
    ],
)
def test_a_hand_id_makes_a_harmless_file_name(hand_id: str, name: str) -> None:
    assert file_name(hand_id) == name


# -- the command -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("export")
    entries = [SECRET, *(log(plays("0 3S"), hand_id="both", club_id=club) for club in ("hoa", "mai"))]
    (folder / "logs.ndjson").write_bytes(b"\n".join(raw(entry) for entry in entries))
    assert ingest([folder / "logs.ndjson"], folder / "db").accepted == 3
    return folder / "db"


def export(db: Path, *args: str) -> Result:
    return CliRunner().invoke(cli, ["export", "hand", *args, "--db", str(db), "--lang", "en"])


def test_the_command_writes_the_file_and_overwrites_only_when_told(db: Path, tmp_path: Path) -> None:
    out = tmp_path / "van.html"
    done = export(db, "ván-Zqxhand", "-o", str(out))
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr == f"Wrote the replay of hand ván-Zqxhand to {out}.\n"
    assert out.read_text("utf-8") == file_of(SECRET, "en")
    assert out.stat().st_mode & 0o777 == 0o644
    out.write_text("mine", "utf-8")
    refused = export(db, "ván-Zqxhand", "-o", str(out))
    assert refused.exit_code == 2
    assert "--force" in refused.output
    assert out.read_text("utf-8") == "mine"
    assert export(db, "ván-Zqxhand", "-o", str(out), "--force", "--anonymise").exit_code == 0
    assert out.read_text("utf-8") == file_of(SECRET, "en", names=False)
    assert list(tmp_path.iterdir()) == [out]


def test_the_command_says_what_is_missing(db: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "van.html")
    for args, told in (
        (("nobody", "-o", out), "no hand 'nobody'"),
        (("both", "-o", out), "--club 'hoa', --club 'mai'"),
        (("both", "--club", "no", "-o", out), "no hand 'both'"),
        (("both", "--club", "mai", "-o", str(tmp_path / "no" / "x.html")), "No such file or directory"),
        (("both", "--club", "mai", "-o", str(tmp_path), "--force"), "directory"),
    ):
        done = export(db, *args)
        assert done.exit_code == 2, args
        assert told in done.output
    assert export(tmp_path / "none", "both", "-o", out).exit_code != 0
    assert list(tmp_path.iterdir()) == []
    assert export(db, "both", "--club", "mai", "-o", out).exit_code == 0


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "van.html"
    out.write_text("before", "utf-8")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_file(out, b"half", replace=True)
    assert out.read_text("utf-8") == "before"
    assert list(tmp_path.iterdir()) == [out]


def test_a_file_is_written_through_a_link_and_never_over_a_device(tmp_path: Path) -> None:
    real, link, pipe = tmp_path / "real", tmp_path / "link", tmp_path / "pipe"
    real.write_bytes(b"before")
    link.symlink_to(real)
    write_file(link, b"after", replace=True)
    assert link.is_symlink() and real.read_bytes() == b"after"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="not an ordinary file"):
        write_file(pipe, b"", replace=True)
    assert pipe.is_fifo()
