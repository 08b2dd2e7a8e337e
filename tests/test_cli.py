"""The program as a user meets it: streams, exit codes, helps, languages."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from analyzer.cli import cli
from analyzer.judge.judging import judge_all
from analyzer.logs.hand import Hand
from analyzer.reports import account, comparison
from tests.hands import log, plays, raw

CLEAN = log(
    plays("0 3S 3D", "1 8S 8C", "0", "1 AC AH", "0", "1 KS KH", "0", "1 4S", "0 5S", "1 6H", "0", "1 10D", "0", "1 QD", "0", "1 2C", "0", "1 3C", "0 9C", "1 JH"),
    seats=2,
    hand_id="clean",
)  # fmt: skip
ROTTEN = log(
    plays("0 3S", "1 3C", "0 4S", "1", "0 5S", "1", "0 6S"), seats=2, hand_id="rotten",
    deal=[["3S", "4S", "5S", "6S"], ["3C", "2C", "2H", "4C"]],
)  # fmt: skip
FAULTY = log(plays("0 3S 3D", "1 4S"), seats=2, hand_id="faulty")


def tienlen(
    *args: str, stdin: bytes | None = None, lang: str = "en", **env: str
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "analyzer", *args],
        input=stdin,
        capture_output=True,
        env={**os.environ, "TIENLEN_LANG": lang, **env},
        timeout=120,
        check=False,
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def put(folder: Path, name: str, *logs: Any) -> str:
    path = folder / name
    path.write_bytes(b"\n".join(entry if isinstance(entry, bytes) else raw(entry) for entry in logs))
    return str(path)


def test_exit_codes_are_those_of_linters(tmp_path: Path) -> None:
    clean, faulty = put(tmp_path, "c.ndjson", CLEAN), put(tmp_path, "f.ndjson", FAULTY)
    broken = put(tmp_path, "b.ndjson", CLEAN, b"{", FAULTY)
    assert tienlen("replay", clean).returncode == 0
    assert tienlen("replay", clean, faulty).returncode == 1
    done = tienlen("replay", broken, "--json")
    assert done.returncode == 2
    assert [json.loads(line)["hand_id"] for line in done.stdout.splitlines()] == ["clean", "faulty"]
    assert "b.ndjson:2" in done.stderr
    assert tienlen("replay").returncode == 2
    assert tienlen("replay", clean, "--rules", "mien-nan").returncode == 2
    assert tienlen("replay", clean, "--hand", "nobody").returncode == 2


def test_json_is_verdicts_and_nothing_else(tmp_path: Path) -> None:
    done = tienlen("replay", put(tmp_path, "c.ndjson", CLEAN, FAULTY), "--json")
    verdicts = [json.loads(line) for line in done.stdout.splitlines()]
    assert [v["format"] for v in verdicts] == ["tienlen-verdict/1"] * 2
    assert done.stderr == ""
    assert verdicts[0]["net"] == [-1500, 1500]
    assert verdicts[1]["violations"][0]["message"].keys() == {"vi", "en"}


def test_one_hand_of_many_from_standard_input() -> None:
    done = tienlen("replay", "-", "--hand", "faulty", "--json", stdin=raw(CLEAN) + b"\n" + raw(FAULTY))
    assert [json.loads(line)["hand_id"] for line in done.stdout.splitlines()] == ["faulty"]


def test_other_rules_can_be_laid_over(tmp_path: Path) -> None:
    path = put(tmp_path, "c.ndjson", CLEAN)
    club = tmp_path / "club.toml"
    club.write_text('extends = "mien-nam"\n[[places]]\nplayers = 2\nfrom = 2\nto = 1\nstakes = 7\n')
    assert json.loads(tienlen("replay", path, "--json", "--rules", str(club)).stdout)["net"] == [-7500, 7500]
    north = json.loads(tienlen("replay", path, "--json", "--rules", "mien-bac").stdout)
    assert north["rules"]["id"] == "mien-bac"


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("vi", ["trả", "Tính tiền", "3♠ 3♦"]),
        ("en", ["binh", "pays", "Settlement", "does_not_beat", "could have played"]),
    ],
)
def test_the_account_speaks_both_languages(tmp_path: Path, lang: str, words: list[str]) -> None:
    events = plays("0 KC", "1 QD", "0 2S", "1")
    done = tienlen("replay", put(tmp_path, "f.ndjson", log(events, seats=2), CLEAN), "--lang", lang)
    for word in words:
        assert word in done.stdout


def test_hostile_names_cannot_steer_the_terminal(tmp_path: Path) -> None:
    players = [{"id": "a", "name": "\x1b[31mAn\n\u202eevil"}, {"id": "b", "name": "<script>"}]
    done = tienlen("replay", put(tmp_path, "h.ndjson", log(plays("0 3S", "1"), seats=2, players=players)))
    assert "\x1b" not in done.stdout and "\u202e" not in done.stdout
    assert "�[31mAn��evil" in done.stdout


def test_a_closed_pipe_ends_quietly(tmp_path: Path) -> None:
    path = put(tmp_path, "many.ndjson", *([FAULTY] * 3000))
    command = f"{sys.executable} -m analyzer replay {path} --json | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=120, check=False)
    assert len(done.stdout.splitlines()) == 1
    assert done.stderr == ""


def test_ctrl_c_ends_quietly(tmp_path: Path) -> None:
    pipe = tmp_path / "slow.ndjson"
    pipe.write_bytes(b"")
    process = subprocess.Popen(
        [sys.executable, "-m", "analyzer", "replay", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(raw(CLEAN) + b"\n")
    process.stdin.flush()
    assert process.stdout.readline()  # it has begun
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert errors.strip() == b""


def commands(group: click.Group = cli, prefix: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Every command there is, as the words that call it."""
    told: list[tuple[str, ...]] = []
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            told += commands(command, (*prefix, name))
        else:
            told.append((*prefix, name))
    return told


HELPS = """
import json, sys
from click.testing import CliRunner
from analyzer.cli import cli
helps = {words: CliRunner().invoke(cli, [*words.split(), "--help"], "tienlen").stdout for words in sys.argv[1:]}
print(json.dumps(helps))
"""


@pytest.fixture(scope="module")
def every_help() -> list[dict[str, str]]:
    """Each command's help, in English and in Vietnamese: one process a language, which is read at the start."""
    command = [sys.executable, "-c", HELPS, *map(" ".join, commands())]
    told = []
    for lang in ("en", "vi"):
        done = subprocess.run(
            command, capture_output=True, env={**os.environ, "TIENLEN_LANG": lang}, check=True
        )
        told.append(json.loads(done.stdout))
    return told


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_every_help_has_an_example_in_both_languages(
    words: tuple[str, ...], every_help: list[dict[str, str]]
) -> None:
    helps = [told[" ".join(words)] for told in every_help]
    names = [words, words[1:]] if words == ("db", "verify") else [words]  # which is `tienlen verify`, too
    for told in helps:
        assert any(f"tienlen {' '.join(name)}" in told.split("\n\n", 1)[1] for name in names)
        assert "tienlen " in told
    assert "Example:" in helps[0]
    assert helps[0] != helps[1]


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_every_command_is_in_both_readmes(words: tuple[str, ...]) -> None:
    for name in ("README.md", "README.vi.md"):
        text = (Path(__file__).parents[1] / name).read_text("utf-8")
        assert f"tienlen {' '.join(words)}" in text, f"{name} does not tell of: tienlen {' '.join(words)}"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shell_completion(shell: str) -> None:
    assert "_TIENLEN_COMPLETE" in tienlen("completion", shell).stdout


def test_rules_commands(tmp_path: Path) -> None:
    assert "mien-nam " in tienlen("rules", "list").stdout
    sheet = tienlen("rules", "show", "mien-nam").stdout
    assert "chop_money.chain = last_pays_all" in sheet and "L90" in sheet
    good = tmp_path / "good.toml"
    good.write_text('id = "club"\nextends = "mien-nam"\n[prices]\ntwo_hearts = 3\n')
    assert tienlen("rules", "check", str(good)).returncode == 0
    bad = tmp_path / "bad.toml"
    bad.write_text('extends = "mien-nam"\n[prices]\ntwo_heart = 3\n')
    done = tienlen("rules", "check", str(bad))
    assert done.returncode == 2
    assert "bad.toml:3: prices.two_heart" in done.stderr and "nearest: prices.two_hearts" in done.stderr


def test_simulated_hands_replay_clean(tmp_path: Path) -> None:
    path = tmp_path / "s.ndjson"
    assert tienlen("simulate", "--hands", "30", "--seed", "4", "-o", str(path)).returncode == 0
    done = tienlen("replay", str(path), "--json")
    assert len(done.stdout.splitlines()) == 30
    assert not [
        v
        for line in done.stdout.splitlines()
        for v in json.loads(line)["violations"]
        if v["severity"] == "error"
    ]


def test_ingest_accounts_for_every_record_and_twice_changes_nothing(tmp_path: Path) -> None:
    path, db = put(tmp_path, "f.ndjson", CLEAN, FAULTY, b"{"), str(tmp_path / "db")
    first = tienlen("ingest", path, "--db", db)
    assert first.returncode == 1
    assert "3 records read = 2 accepted" in first.stdout and "+ 1 quarantined" in first.stdout
    second = tienlen("ingest", path, "--db", db)
    assert "3 records read = 0 accepted + 2 unchanged" in second.stdout
    assert tienlen("ingest", put(tmp_path, "c.ndjson", CLEAN), "--db", str(tmp_path / "db2")).returncode == 0


def test_start_up_is_quick_because_heavy_libraries_wait() -> None:
    code = "import sys, analyzer.cli; print(sorted({'polars','duckdb','streamlit','pyarrow','rich','babel'} & {m.split('.')[0] for m in sys.modules}))"
    assert (
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout.strip()
        == "[]"
    )


def test_demo_takes_every_sample_in(tmp_path: Path) -> None:
    done = tienlen("demo", "--no-serve", "--db", str(tmp_path / "db"))
    assert done.returncode == 0, done.stderr
    assert "+ 0 quarantined" in done.stdout
    assert int(done.stdout.split()[0]) >= 40 + 24
    again = tienlen("demo", "--no-serve", "--db", str(tmp_path / "db"))
    assert " = 0 accepted + " in again.stdout


def test_serving_without_a_database_says_what_to_do(tmp_path: Path) -> None:
    done = tienlen("serve", "--db", str(tmp_path / "none"))
    assert done.returncode == 2
    assert "tienlen ingest" in done.stderr


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGHUP])
def test_stopping_the_program_stops_its_server(tmp_path: Path, stop: signal.Signals) -> None:
    db = tmp_path / "db"
    assert tienlen("ingest", put(tmp_path, "c.ndjson", CLEAN), "--db", str(db)).returncode == 0
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        command = [sys.executable, "-m", "analyzer", "serve", "--db", str(db), "--port", str(port)]
        serving = subprocess.Popen([*command, "--lang", "en"], stderr=subprocess.PIPE, text=True)
        try:
            assert serving.stderr is not None
            assert serving.stderr.readline() == f"Port {port} is taken.\n"
            served = int(serving.stderr.readline().partition("127.0.0.1:")[2].partition(" ")[0])
            wait_until(lambda: answers(served))
        finally:
            serving.send_signal(stop)
        assert serving.wait(20) == 0
    wait_until(lambda: not answers(served))


def test_an_address_that_is_not_free_is_not_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    db = str(tmp_path / "db")
    assert tienlen("ingest", put(tmp_path, "c.ndjson", CLEAN), "--db", db).returncode == 0
    monkeypatch.setattr("analyzer.serving.PORTS_TRIED", 1)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = CliRunner().invoke(cli, ["serve", "--db", db, "--port", str(port), "--lang", "en"])
    assert done.exit_code == 2
    assert done.stderr == f"Port {port} is taken.\nNo port up to {port} is free. Name another: --port N\n"


def test_an_amount_cites_the_rule_and_the_prices_it_is_made_of(tmp_path: Path) -> None:
    """Two of hearts at twice the stake, and what is left over at its own price or at the price of a chop."""
    changes = {
        "prices.two_hearts": 2,
        "rotten_prices.two_clubs": 3,
        "rotten.payer": "holder",
        "table.hand_size": 4,
    }
    hand = {**ROTTEN, "rules": {"extends": "mien-nam", "set": changes}}
    told = tienlen("replay", put(tmp_path, "r.ndjson", hand)).stdout
    at = told.index("rotten black two")
    cited = re.findall(r"rule (\S+) = ([^(]+) \(", told[at : told.index("Net:", at)])
    assert cited == [
        ("rotten.payer", "whoever holds them"),
        ("rotten_prices.two_clubs", "3"),
        ("prices.two_hearts", "2"),
    ]


def test_a_fault_of_json_is_told_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{\n "format": "tienlen-hand/1",\n "hand_id": "a"\n "x": 1\n}\n')
    done = tienlen("replay", str(tmp_path / "a.json"))
    assert done.returncode == 2
    assert "in line 4, column 2 of the record" in done.stderr


@pytest.mark.parametrize("command", ["replay", "compare"])
def test_a_hand_that_the_program_fails_on_does_not_cost_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    def failing(hand: Hand, *args: Any) -> Any:
        if hand.hand_id == "faulty":
            raise ZeroDivisionError("by nothing")
        return made(hand, *args)

    made: Any = account.make_account
    name = "analyzer.reports.account.make_account"
    if command == "compare":
        made = comparison.compare
        name = "analyzer.reports.comparison.compare"
    monkeypatch.setattr(name, failing)
    args = [command, put(tmp_path, "two.ndjson", FAULTY, CLEAN), "--lang", "en"]
    if command == "compare":
        args += ["--rules", "mien-nam", "--rules", "phong-cua"]
    done = CliRunner().invoke(cli, args)
    assert done.exit_code == 2
    assert "ZeroDivisionError: by nothing" in done.stderr
    assert "clean" in done.stdout


def wait_until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end, "not within a minute"
        time.sleep(0.1)


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_calls_that_are_wrong_end_with_two_and_a_word(tmp_path: Path) -> None:
    path = put(tmp_path, "c.ndjson", CLEAN)
    rules = ("--rules", "mien-nam", "--rules", "mien-bac")
    assert tienlen("compare", path, *rules, "--hand", "nobody").returncode == 2
    assert tienlen("simulate", "--hands", "1", "--seed", "1", "--faults", "nan").returncode == 2
    club = tmp_path / "club.toml"
    club.write_text('id = "club"\nextends = "mien-nam"\n')
    done = tienlen("simulate", "--hands", "1", "--seed", "1", "--rules", str(club))
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    full = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m analyzer rules show mien-nam > /dev/full"],
        capture_output=True,
        check=False,
    )
    assert full.returncode == 2
    assert b"Traceback" not in full.stderr


def test_a_hand_that_the_judge_fails_on_costs_itself_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from analyzer.store import chunks
    from analyzer.store import ingest as taking_in

    def failing(hands: Any) -> Any:
        for hand, _ in hands:
            if hand.hand_id == "faulty":
                hand.deal[0] = ("no card",) * 13  # which reading lets nobody pass with
        return judge_all(hands)

    monkeypatch.setattr(chunks, "judge_all", failing)
    report = taking_in.ingest([put(tmp_path, "f.ndjson", CLEAN, FAULTY)], tmp_path / "db")
    assert (report.accepted, report.quarantined) == (1, 1)
    assert "ValueError: 'no card' is no card" in report.refusals[0].render("en")


def test_logs_without_a_hand_are_said_to_have_none(tmp_path: Path) -> None:
    (tmp_path / "trống.ndjson").write_text("\n", "utf-8")
    done = CliRunner().invoke(cli, ["replay", str(tmp_path / "trống.ndjson"), "--lang", "vi"])
    assert (done.exit_code, done.stdout) == (0, "")
    assert "Không có ván nào trong" in done.stderr
    assert done.stderr.rstrip().endswith("trống.ndjson.")  # and nothing about folders


def test_a_folder_of_other_files_is_said_to_have_no_hand(tmp_path: Path) -> None:
    folder = tmp_path / "ghi"
    folder.mkdir()
    (folder / "tối.txt").write_text("Ván 1\n", "utf-8")
    done = CliRunner().invoke(cli, ["ingest", str(folder), "--db", str(tmp_path / "db"), "--lang", "vi"])
    assert done.exit_code == 0
    assert done.stdout.startswith("Đã đọc 0 bản ghi")
    assert f"Không có ván nào trong {folder}." in done.stderr
    assert ".txt" in done.stderr
