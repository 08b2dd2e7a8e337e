"""An evening as files: numbers that are numbers, texts that are nothing but texts."""

from __future__ import annotations

import csv
import html
import io
import json
import re
import zipfile
from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pyarrow.parquet as parquet
import pytest

from analyzer.evening_files import (
    SHEETS,
    NotExported,
    evening_sheets,
    export_evening,
    file_name,
    played_at,
)
from analyzer.exports import export_evening as export_command
from analyzer.locale import LANGUAGES, translate
from analyzer.reports.files import write_file
from analyzer.reports.money import format_amount, format_signed, parse_amount, unclear_amount
from analyzer.reports.sheets import (
    MOST_ROWS,
    Cell,
    Column,
    Sheet,
    TooLarge,
    csv_of,
    guarded,
    parquet_of,
    xlsx_of,
)
from analyzer.store import queries
from analyzer.store.database import Database
from analyzer.store.ingest import ingest
from analyzer.store.journal import Journal
from analyzer.store.reader import open_reader
from analyzer.store.treasury import Books, Paid
from tests.browser.club import CLUB, HOSTILE, MARKED, SATURDAY, make_club
from tests.test_cli import tienlen

SAMPLE = Path(__file__).parents[1] / "sample_logs" / "clb-mau-2026-11-28.ndjson"
EVENING = "clb-mau-2026-11-28"
COLUMNS = (
    Column("name", "Player"),
    Column("net", "Won or lost", "amount"),
    Column("hands", "Hands played", "number"),
    Column("day", "Day", "day"),
    Column("at", "Played at", "time"),
)
AT = datetime.fromisoformat("2026-11-28T19:30:05+07:00")
FORMULAS = [
    "=1+1",
    "+84 912",
    "-2+3",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    " =1",
    '"=1+1"',
    "'=1",
    "“=1",
    "\u200b=1",
    "\u202e=1",
    "＝1+1",
    "−1",
    '=HYPERLINK("http://x","y")',
    "=cmd|' /C calc'!A0",
]


def sheet(*rows: Sequence[Cell]) -> Sheet:
    return Sheet("totals", "Totals", COLUMNS, rows)


def named(name: str) -> Sheet:
    return sheet((name, Decimal(-1), 1, None, None))


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sheets")
    assert ingest([SAMPLE], folder / "db").accepted == 28
    return folder / "db"


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_club(tmp_path_factory.mktemp("club"))


def written(db: Path, folder: Path, suffix: str, **values: Any) -> bytes:
    told = {"evening": EVENING, "club": None, "sheet": "totals", "force": False, "lang": "vi", **values}
    export_evening(db, output=folder / f"e{suffix}", **told)
    return (folder / f"e{suffix}").read_bytes()


# -- CSV -------------------------------------------------------------------------------------------


def read_csv(content: bytes) -> list[list[str]]:
    assert content.startswith(b"\xef\xbb\xbf")
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))


@pytest.mark.parametrize("name", FORMULAS)
def test_no_cell_of_a_csv_begins_a_formula(name: str) -> None:
    cell = read_csv(csv_of(named(name), "vi"))[1][0]
    assert cell.startswith("'")
    assert guarded(cell) == guarded(name) or guarded(cell) == "'" + cell


@pytest.mark.parametrize("name", ["An", "Ngô = Đình", "a-b", "Trần Văn +", "", '"An"', "5", "x@y"])
def test_a_harmless_text_stays_as_it_is(name: str) -> None:
    assert read_csv(csv_of(named(name), "vi"))[1][0] == name


def test_numbers_of_a_csv_are_numbers_below_zero_too() -> None:
    rows = read_csv(csv_of(sheet(("An", Decimal("-20000.500"), -3, date(2026, 11, 28), AT)), "en"))
    assert rows == [
        ["Player", "Won or lost", "Hands played", "Day", "Played at"],
        ["An", "-20000.5", "-3", "2026-11-28", "2026-11-28 19:30:05"],
    ]
    amounts = [Decimal("1E+3"), Decimal("123456789012345.678"), Decimal("0.000"), Decimal("-0.001")]
    found = read_csv(csv_of(sheet(*[("x", amount, 0, None, None) for amount in amounts]), "en"))[1:]
    assert [row[1] for row in found] == ["1000", "123456789012345.678", "0", "-0.001"]
    assert [row[3:] for row in found] == [["", ""]] * 4


# -- a workbook ------------------------------------------------------------------------------------

NS = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def read_xlsx(content: bytes) -> dict[str, list[list[tuple[str, str]]]]:
    """Sheet → rows of (type of the cell, its content); the parts that must not be there are not."""
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        parts = {name: book.read(name).decode() for name in book.namelist()}
    assert not [name for name in parts if "external" in name.lower() or "vba" in name.lower()]
    assert not [name for name, text in parts.items() if re.search(r"<(f|hyperlinks?)\b", text)]
    strings = [
        "".join(text.text or "" for text in node.iter(f"{NS}t"))
        for node in ElementTree.fromstring(parts["xl/sharedStrings.xml"])
    ]
    names = [
        node.attrib["name"] for node in ElementTree.fromstring(parts["xl/workbook.xml"]).iter(f"{NS}sheet")
    ]
    found = {}
    for number, name in enumerate(names, 1):
        tree = ElementTree.fromstring(parts[f"xl/worksheets/sheet{number}.xml"])
        found[name] = [
            [
                (cell.get("t", "n"), strings[int(value)] if cell.get("t") == "s" else value)
                for cell in row
                if (value := cell.findtext(f"{NS}v", "")) != ""
            ]
            for row in tree.iter(f"{NS}row")
        ]
    return found


@pytest.mark.parametrize("name", [*FORMULAS, HOSTILE, MARKED, "http://x.vn", "00123", "a" * 40_000])
def test_a_text_of_a_workbook_is_a_text(name: str) -> None:
    (cell, number, *_) = read_xlsx(xlsx_of([named(name)], "vi"))["Tổng kết"][1]
    assert cell[0] == "s"
    assert number == ("n", "-1")
    assert cell[1] == re.sub("[\x00-\x1f\u200e\u200f\u202a-\u202e]", "�", name)[:32_000]


def test_numbers_and_days_of_a_workbook_are_numbers_and_days() -> None:
    row = ("An", Decimal("-20000.500"), 3, date(2026, 11, 28), AT)
    (found,) = read_xlsx(xlsx_of([sheet(row)], "en"))["Totals"][1:]
    days = (date(2026, 11, 28) - date(1899, 12, 30)).days
    assert found[:4] == [("s", "An"), ("n", "-20000.5"), ("n", "3"), ("n", str(days))]
    assert found[4][0] == "n"
    assert abs(Decimal(found[4][1]) - days - Decimal(19 * 3600 + 30 * 60 + 5) / 86400) < Decimal("0.00001")


def test_an_amount_that_a_spreadsheet_would_round_is_a_text() -> None:
    for amount, kind in (("123456789012.345", "n"), ("1234567890123.456", "s"), ("100000000000000000", "n")):
        (found,) = read_xlsx(xlsx_of([sheet(("An", Decimal(amount), 1, None, None))], "en"))["Totals"][1:]
        assert found[1] == (kind, found[1][1])
        assert Decimal(found[1][1]) == Decimal(amount)


def test_more_rows_than_a_workbook_holds_are_refused_before_it_is_written() -> None:
    class Many(list[Sequence[Cell]]):
        def __len__(self) -> int:
            return MOST_ROWS + 1

    with pytest.raises(TooLarge, match="CSV or Parquet"):
        xlsx_of([Sheet("totals", "Totals", COLUMNS, Many())], "en")


# -- Parquet ---------------------------------------------------------------------------------------


def test_parquet_keeps_amounts_exact_and_texts_as_they_are() -> None:
    words = (Column("reason", "Cause", words={"chop": "chops"}), *COLUMNS)
    rows: list[Sequence[Cell]] = [
        ("chop", HOSTILE, Decimal("-123456789012345.678"), 3, date(2026, 11, 28), AT),
        ("place", None, None, None, None, None),
    ]
    table = parquet.read_table(io.BytesIO(parquet_of(Sheet("x", "Totals", words, rows))))
    assert [str(field.type) for field in table.schema] == [
        *("string", "string", "decimal128(38, 3)", "int64", "date32[day]", "timestamp[us, tz=UTC]"),
    ]
    assert [tuple(row.values()) for row in table.to_pylist()] == [tuple(row) for row in rows]
    assert table.column_names[:2] == ["reason", "name"]


# -- an evening ------------------------------------------------------------------------------------


def test_the_sample_evening_as_worked_by_hand(sample: Path, tmp_path: Path) -> None:
    """Hà 70,000 for places + 15,000 chops − 20,000 rotten + 30,000 frozen − 20,000 instant wins = 75,000."""
    totals = read_csv(written(sample, tmp_path, ".csv"))
    assert [row[1:2] + row[3:] for row in totals[1:]] == [
        ["Hà", "28", "75000", "0", "75000", "75000", "0"],
        ["Khoa", "28", "45000", "0", "45000", "45000", "0"],
        ["Lan", "28", "35000", "0", "35000", "35000", "0"],
        ["Sơn", "28", "-155000", "0", "-155000", "-155000", "0"],
    ]
    causes = read_csv(written(sample, tmp_path, ".csv", sheet="causes", lang="en", force=True))
    assert {row[3]: row[6] for row in causes[1:] if row[0] == "ha"} == {
        "places": "70000",
        "chops": "15000",
        "rotten cards": "-20000",
        "frozen seats": "30000",
        "instant wins": "-20000",
    }
    payments = read_csv(written(sample, tmp_path, ".csv", sheet="payments", lang="en", force=True))
    assert [[row[0], row[2], row[4], row[6]] for row in payments[1:]] == [
        ["to pay", "Sơn", "Hà", "75000"],
        ["to pay", "Sơn", "Khoa", "45000"],
        ["to pay", "Sơn", "Lan", "35000"],
    ]
    hands = read_csv(written(sample, tmp_path, ".csv", sheet="hands", lang="en", force=True))[1:]
    assert len(hands) == 28 * 4
    assert hands[0][:4] == ["1", f"{EVENING}-01", "2026-11-28 19:30:00", "mien-nam"]
    assert [row[-1] for row in hands[-4:]] == ["75000", "45000", "35000", "-155000"]
    transfers = read_csv(written(sample, tmp_path, ".csv", sheet="transfers", lang="en", force=True))[1:]
    got = sum(Decimal(row[8]) for row in transfers if row[5] == "ha")
    assert got - sum(Decimal(row[8]) for row in transfers if row[3] == "ha") == 75000


def test_every_sheet_is_the_sum_of_plain_sql(club: Path) -> None:
    evening = f"session {SATURDAY['session_id']}"
    with open_reader(Database(club)) as reader:
        sheets = {
            found.key: found
            for found in evening_sheets(
                lambda name, **asked: queries.run(reader, name, **asked).to_dicts(),
                Books(),
                CLUB,
                evening,
                "en",
            )
        }
        nets = reader.rows(
            "SELECT player_id, sum(net) AS net FROM seats JOIN hands USING (hand_key) WHERE evening = $e GROUP BY ALL",
            {"e": evening},
        )
        (count,) = reader.rows(
            "SELECT count(*) AS n, sum(amount) AS total FROM transfers JOIN hands USING (hand_key) WHERE evening = $e",
            {"e": evening},
        )
    assert {row[0]: row[4] for row in sheets["totals"].rows} == {r["player_id"]: r["net"] for r in nets}
    assert len(sheets["transfers"].rows) == count["n"]
    assert sum(Decimal(str(row[8])) for row in sheets["transfers"].rows) == count["total"]
    assert sum(Decimal(str(row[9])) for row in sheets["hands"].rows) == 0
    assert [len(row) == len(found.columns) for found in sheets.values() for row in found.rows].count(
        False
    ) == 0


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_workbook_of_an_evening_has_all_its_sheets(sample: Path, tmp_path: Path, lang: str) -> None:
    found = read_xlsx(written(sample, tmp_path, ".xlsx", lang=lang))
    titles = ("Totals", "Causes", "Payments", "Hands", "Transfers", "Rulings")
    assert list(found) == [translate(title, lang) for title in titles]
    assert found[translate("Totals", lang)][1][4] == ("n", "75000")
    assert len(found[translate("Hands", lang)]) == 1 + 28 * 4


def test_payments_that_were_made_are_in_the_files(sample: Path, tmp_path: Path) -> None:
    import shutil

    db = tmp_path / "db"
    shutil.copytree(sample, db)
    evening = f"session {EVENING}"
    paid = Paid(club="clb-mau", evening=evening, currency="VND", payer="son", payee="ha", amount="25000")
    Journal(Database(db)).append("payment", paid.data(), "=Thủ quỹ")
    payments = read_csv(written(db, tmp_path, ".csv", sheet="payments", lang="en"))[1:]
    assert sorted([row[0], row[4], row[6], row[9]] for row in payments) == [
        ["paid", "Hà", "25000", "'=Thủ quỹ"],
        ["to pay", "Hà", "50000", ""],
        ["to pay", "Khoa", "45000", ""],
        ["to pay", "Lan", "35000", ""],
    ]
    totals = read_csv(written(db, tmp_path, ".csv", force=True))[1:]
    assert [row[4:] for row in totals if row[0] in ("ha", "son")] == [
        ["75000", "25000", "50000", "75000", "0"],
        ["-155000", "-25000", "-130000", "-155000", "0"],
    ]


# -- the printable sheet ---------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_printed_sheet_asks_nothing_of_the_network_and_shows_names_as_they_are(
    club: Path, tmp_path: Path, lang: str
) -> None:
    page = written(club, tmp_path, ".html", evening=SATURDAY["session_id"], lang=lang).decode()
    assert f'<html lang="{lang}">' in page
    assert "default-src 'none'" in page
    assert not re.search(r"<(img|script|link|iframe|a|object|svg|form)\b", page)
    assert "url(" not in page and "@import" not in page
    assert html.escape(HOSTILE) in page and html.escape(MARKED) in page
    assert translate("Who pays whom", lang) in page
    with open_reader(Database(club)) as reader:
        nets = reader.rows(
            "SELECT sum(net) AS net FROM seats JOIN hands USING (hand_key) WHERE session_id = $s GROUP BY player_id",
            {"s": SATURDAY["session_id"]},
        )
    for row in nets:
        assert format_signed(row["net"], "VND", lang) in page
    assert ("28/11/2026" if lang == "vi" else "28 Nov 2026") in page


def test_the_printed_sheet_of_the_sample_evening(sample: Path, tmp_path: Path) -> None:
    page = written(sample, tmp_path, ".html").decode()
    assert "28 ván" in page
    for amount in (75_000, 45_000, 35_000):
        assert format_amount(amount, "VND", "vi") in page
    assert "−155.000" in page
    assert page.count("<tr>") > 28


# -- files -----------------------------------------------------------------------------------------


def test_a_file_is_written_whole_and_replaced_with_force_only(tmp_path: Path) -> None:
    path = tmp_path / "e.csv"
    write_file(path, b"1", replace=False)
    with pytest.raises(FileExistsError):
        write_file(path, b"2", replace=False)
    assert path.read_bytes() == b"1"
    write_file(path, b"3", replace=True)
    assert path.read_bytes() == b"3"
    with pytest.raises(FileNotFoundError):
        write_file(tmp_path / "none" / "e.csv", b"", replace=True)
    assert [found.name for found in tmp_path.iterdir()] == ["e.csv"]


@pytest.mark.parametrize(
    ("evening", "name"),
    [
        ("tối thứ bảy 28.11", "tối thứ bảy 28.11"),
        ("../../etc/passwd", "etc_passwd"),
        ("a\u202exslx.exe", "a_xslx.exe"),
        ('a"; x="\r\nb', "a_ x_b"),
        ("///", "tienlen"),
        ("x" * 500, "x" * 80),
    ],
)
def test_the_name_of_a_file_is_no_path_whatever_the_evening_is_called(evening: str, name: str) -> None:
    assert file_name(evening) == name


def test_what_cannot_be_exported_says_why(club: Path, tmp_path: Path) -> None:
    with pytest.raises(NotExported, match=r"ending: \.csv, \.xlsx, \.parquet, \.html"):
        export_evening(club, "x", tmp_path / "e.pdf", None, "totals", False, "en")
    with pytest.raises(NotExported, match=r"no evening 'x'\. The latest ones are: chủ nhật, tối thứ bảy"):
        export_evening(club, "x", tmp_path / "e.csv", None, "totals", False, "en")
    with pytest.raises(NotExported, match="no evening"):
        written(club, tmp_path, ".csv", evening=SATURDAY["session_id"], club="another")


def test_an_evening_of_several_clubs_asks_which(tmp_path: Path) -> None:
    log = json.loads(SAMPLE.read_text("utf-8").splitlines()[0])
    file = tmp_path / "two.ndjson"
    file.write_text("\n".join(json.dumps({**log, "club_id": club}) for club in ("a", "b")), "utf-8")
    ingest([file], tmp_path / "db")
    with pytest.raises(NotExported, match="--club: 'a', 'b'"):
        written(tmp_path / "db", tmp_path, ".csv")
    assert read_csv(written(tmp_path / "db", tmp_path, ".csv", club="b"))[1][3] == "1"


def test_the_command_knows_every_sheet() -> None:
    (option,) = [found for found in export_command.params if found.name == "sheet"]
    assert list(option.to_info_dict()["type"]["choices"]) == list(SHEETS)


def test_the_command_writes_a_file_and_says_why_not(sample: Path, tmp_path: Path) -> None:
    path = str(tmp_path / "e.xlsx")
    call = ("export", "evening", EVENING, "-o", path, "--db", str(sample), "--lang", "en")
    done = tienlen(*call)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == f"Wrote the evening {EVENING} to {path}.\n"
    assert len(read_xlsx(Path(path).read_bytes())) == len(SHEETS)
    again = tienlen(*call)
    assert again.returncode == 2
    assert f"Error: {path} is there already: choose another name, or add --force.\n" in again.stderr
    assert tienlen(*call, "--force").returncode == 0
    assert tienlen("export", "evening", EVENING, "-o", path, "--db", str(tmp_path / "no")).returncode == 2


# -- amounts and times as they are typed and logged ------------------------------------------------


@pytest.mark.parametrize(
    ("text", "vi", "en"),
    [
        ("1.000.000", "1000000", "1000000"),
        ("1,000,000", "1000000", "1000000"),
        ("50.000 ₫", "50000", None),
        ("50.000đ", "50000", None),
        ("20k", "20000", "20000"),
        ("20 K", "20000", "20000"),
        ("20 nghìn đồng", "20000", "20000"),
        ("1tr", "1000000", "1000000"),
        ("1,5tr", "1500000", "1500000"),
        ("1.5 triệu", "1500000", "1500000"),
        ("1,25k", "1250", "1250"),
        ("1,500k", None, None),
        ("1tr5", "1500000", "1500000"),
        ("2k5", "2500", "2500"),
        ("1tr50", None, None),
        ("1 000 000", "1000000", "1000000"),
        ("2 500k", "2500000", "2500000"),
        ("1 000 000k", None, None),
        ("2 5", None, None),
        ("2 5k", None, None),
        ("1 5tr", None, None),
        ("20 00", None, None),
        ("1.000,000", None, None),
        ("50,000.000", None, None),
        ("20,0000", None, None),
        ("20.0000", None, None),
        ("050.000", None, None),
        ("007", None, None),
        ("1.500.000k", None, None),
        ("20kk", None, None),
        ("20q", None, None),
        ("1.125", "1125", None),
        ("1.1250", None, "1.125"),
        ("1,1250", "1.125", None),
        ("0.125", None, "0.125"),
        ("1234.125", None, "1234.125"),
        ("2\u03360", None, None),
        ("12,500", None, "12500"),
        ("2,5", "2.5", None),
        ("2.5", None, "2.5"),
        ("1.000,25", "1000.25", "1000.25"),
        ("20000", "20000", "20000"),
        ("0", None, None),
        ("-5", None, None),
        ("1e3", None, None),
        ("0,0001", None, None),
        ("1" * 16, None, None),
        ("", None, None),
        ("٣", None, None),
    ],
)
def test_an_amount_is_taken_as_it_is_meant_or_not_at_all(text: str, vi: str | None, en: str | None) -> None:
    for lang, expected in (("vi", vi), ("en", en)):
        assert parse_amount(text, lang) == (Decimal(expected) if expected else None)


@pytest.mark.parametrize(
    ("text", "lang", "one", "other"),
    [
        ("20.000", "en", ("20", 20), ("20,000", 20_000)),
        ("20,000", "vi", ("20", 20), ("20.000", 20_000)),
        ("1.125", "en", ("1.1250", "1.125"), ("1,125", 1125)),
        ("1,125", "vi", ("1,1250", "1.125"), ("1.125", 1125)),
        ("1,500k", "vi", ("1.500", 1500), ("1.500.000", 1_500_000)),
        ("1.000,000", "vi", ("1.000", 1000), ("1.000.000", 1_000_000)),
        ("50,000.000", "en", ("50,000", 50_000), ("50,000,000", 50_000_000)),
    ],
)
def test_an_amount_that_reads_two_ways_is_asked_about_and_both_can_be_typed(
    text: str, lang: str, one: tuple[str, Any], other: tuple[str, Any]
) -> None:
    told = unclear_amount(text, lang).render("en")
    assert told.endswith(f"Write “{one[0]}” or “{other[0]}”, whichever you mean.")
    for typed, meant in (one, other):
        value = parse_amount(typed, lang)
        assert value == Decimal(meant)
        assert str(value) == str(meant)  # as the journal writes it


def test_an_unclear_amount_is_told_as_people_write_amounts() -> None:
    assert "50.000 hoặc 2,5" in unclear_amount("nhiều", "vi").render("vi")
    assert "50,000 or 2.5" in unclear_amount("nhiều", "en").render("en")


def test_the_time_of_a_log_is_the_clock_of_its_place() -> None:
    for text in ("2026-11-28T19:30:05+07:00", "2026-11-28t19:30:05+07:00", "2026-11-28 19:30:05+07:00"):
        assert played_at(text) == AT
    assert played_at("2026-12-31T23:59:60Z") is None
    assert played_at(None) is None
