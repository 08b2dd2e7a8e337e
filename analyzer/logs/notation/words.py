"""The words of the notation: what begins a line, what an act is called, what cards are called.

Every word stands folded: lower case, without Vietnamese marks. The first of several for one thing is the
canonical one, as :data:`CANONICAL` spells it.
"""

from __future__ import annotations

from typing import Final

from analyzer.cards import RANKS
from analyzer.rules.instant_wins import INSTANT_WIN_ORDER

KEYS: Final = {
    "van": "hand_id",
    "hand": "hand_id",
    "luat": "rules",
    "rules": "rules",
    "luat nha": "set",
    "cuoc": "stake",
    "stake": "stake",
    "muc cuoc": "stake",
    "cau lac bo": "club_id",
    "clb": "club_id",
    "club": "club_id",
    "buoi": "session_id",
    "session": "session_id",
    "ban": "table_id",
    "table": "table_id",
    "so thu tu": "hand_no",
    "stt": "hand_no",
    "thu tu": "hand_no",
    "luc": "played_at",
    "ngay": "played_at",
    "nguoi choi": "players",
    "choi": "players",
    "players": "players",
    "nguoi chia": "dealer",
    "chia bai": "dealer",
    "dealer": "dealer",
    "di truoc": "lead",
    "danh truoc": "lead",
    "ra truoc": "lead",
    "duoc cai": "lead",
    "lead": "lead",
    "sua lan": "revision.number",
    "sua boi": "revision.by",
    "sua luc": "revision.at",
    "sua vi": "revision.reason",
    "hang": "result.places",
    "thu hang": "result.places",
    "tien": "result.net",
    "ket qua": "result",
}
"""What begins a line about the hand → what the line tells (a key of the format, or a part of one)."""

CANONICAL: Final = {
    "hand_id": "ván",
    "rules": "luật",
    "set": "luật nhà",
    "stake": "cược",
    "club_id": "câu lạc bộ",
    "session_id": "buổi",
    "table_id": "bàn",
    "hand_no": "số thứ tự",
    "played_at": "lúc",
    "revision.number": "sửa lần",
    "revision.by": "sửa bởi",
    "revision.at": "sửa lúc",
    "revision.reason": "sửa vì",
    "players": "người chơi",
    "dealer": "người chia",
    "lead": "đi trước",
    "deal": "bài",
    "result": "kết quả",
    "result.places": "hạng",
    "result.net": "tiền",
}
"""What a line tells → how its beginning is written; in the order of writing."""

HEADINGS: Final = ("ván", "van")
"""How the line that begins a hand is written, its other word ``hand`` aside: ``Vân`` is a name."""

DEAL: Final = "bai"
NOTE: Final = "ghi chu"
SEATS: Final = ("nha", "ghe")
"""Words that name a seat by its number, from 1: ``nhà 2``."""

REASONS: Final = {
    "van khoi dau": "opening",
    "khoi dau": "opening",
    "van dau": "opening",
    "opening": "opening",
    "thang van truoc": "won_previous",
    "nhat van truoc": "won_previous",
    "thang": "won_previous",
    "ve nhat": "won_previous",
    "won": "won_previous",
    "den van truoc": "forfeited_previous",
    "bi den": "forfeited_previous",
    "den": "forfeited_previous",
    "thoa thuan": "agreed",
    "thoa": "agreed",
    "agreed": "agreed",
}
"""Why somebody leads."""

WRITTEN_REASONS: Final = {
    "opening": "ván khởi đầu",
    "won_previous": "thắng ván trước",
    "forfeited_previous": "đền ván trước",
    "agreed": "thỏa thuận",
}

ACTS: Final = {
    "danh": "play", "ra": "play", "ra bai": "play", "danh bai": "play", "chat": "play", "chat chong": "play",
    "chat de": "play",
    "chan": "play", "de": "play", "do": "play", "xuong": "play", "xuong bai": "play", "di": "play",
    "play": "play",
    "cuop cai": "steal",
    "bo": "pass", "bo luot": "pass", "bo qua": "pass", "qua": "pass", "qua luot": "pass", "pass": "pass",
    "thoi": "pass", "khong danh": "pass", "ko danh": "pass", "khong do": "pass",
    "chiu": "pass",
    "toi trang": "claim", "an trang": "claim", "ho toi trang": "claim",
    "noi": "say", "ho": "say",
    "rut lai": "take_back", "rut bai": "take_back", "rut": "take_back", "lay lai": "take_back",
    "thu lai": "take_back",
    "con": "show end", "con lai": "show end", "lat cuoi": "show end", "ngua": "show end",
    "lo": "show early", "lo bai": "show early", "de lo": "show early", "lam lo": "show early",
    "lat som": "show early",
    "trinh": "show claim", "trinh bai": "show claim",
    "dem bai": "count", "dem": "count", "dem bai da danh": "count", "xem bai da danh": "count",
    "lat bai da danh": "count",
    "bao": "call",
    "dua": "exchange", "cung": "exchange", "tra": "exchange",
    "gop": "discard", "gop bai": "discard", "bo ra": "discard", "bo rieng": "discard",
    "roi ban": "leave", "roi": "leave", "nghi": "leave", "bo cuoc": "leave", "bo ban": "leave",
    "ghi chu": "note",
    "lat": "?show", "lat bai": "?show", "ha": "?put", "bo bai": "?leave",
}  # fmt: skip
"""What an act is called → what it is; those with ``?`` are called so in two meanings."""

DOUBTFUL: Final = {
    "?show": ("còn", "lộ"),
    "?put": ("đánh", "góp"),
    "?leave": ("bỏ", "rời bàn"),
}
"""The canonical words of the two meanings."""

NO_ACTS: Final = frozenset(("toi", "cong", "thua", "thang", "het", "nhat", "nhi", "bet", "thui", "ve"))
"""Words of the game that tell no act of the notation: they are not misspelt, whatever looks like them."""

DONE: Final = "rồi"
"""Says nothing after a pass; without its mark as well, but ``rời`` is another word."""

WRITTEN_ACTS: Final = {
    "steal": "cướp cái",
    "pass": "bỏ",
    "claim": "tới trắng",
    "say": "nói",
    "take_back": "rút lại",
    "show end": "còn",
    "show early": "lộ",
    "show claim": "trình",
    "count": "đếm bài",
    "call": "báo",
    "exchange": "đưa",
    "discard": "góp",
    "leave": "rời bàn",
    "note": "ghi chú",
}

MANNERS: Final = {
    "noi": "said", "hang loi": "said", "bang loi": "said", "said": "said",
    "nut": "button", "bam nut": "button", "bang nut": "button", "button": "button",
    "het gio": "timeout", "qua gio": "timeout", "timeout": "timeout",
}  # fmt: skip
"""How somebody passed."""

WRITTEN_MANNERS: Final = {"said": "nói", "button": "nút", "timeout": "hết giờ"}

LEFT: Final = {"1": 1, "mot": 1, "mot la": 1, "1 la": 1, "0": 0, "het": 0, "het bai": 0, "0 la": 0}
"""How many cards somebody calls."""

WINS: Final = {
    "four_threes": "tứ quý ba",
    "three_pairs_with_3s": "ba đôi thông có ba bích",
    "four_twos": "tứ quý heo",
    "six_pairs": "sáu đôi",
    "five_consecutive_pairs": "năm đôi thông",
    "dragon": "sảnh rồng",
    "one_colour": "đồng màu",
    "four_triples": "bốn sám",
    "two_fours": "hai tứ quý",
    "three_consecutive_triples": "ba sám liên tiếp",
}
"""Instant wins → how they are written; any other name is written as a JSON string."""

assert set(WINS) == set(INSTANT_WIN_ORDER)

MONEY: Final = {
    "d": "VND", "dong": "VND", "vnd": "VND", "diem": "POINT", "point": "POINT", "chip": "CHIP",
    "usd": "USD", "eur": "EUR", "aud": "AUD", "cad": "CAD", "gbp": "GBP", "jpy": "JPY", "krw": "KRW",
    "twd": "TWD", "thb": "THB", "lak": "LAK", "khr": "KHR", "sgd": "SGD", "czk": "CZK",
}  # fmt: skip
"""What follows an amount, folded → its currency; any other code is written in three capitals."""
WRITTEN_MONEY: Final = {"POINT": "điểm", "CHIP": "chip"}
THOUSANDS: Final = {"k": 3, "nghin": 3, "ngan": 3, "tr": 6, "trieu": 6}

# -- cards ---------------------------------------------------------------------------------------

RANK_WORDS: Final = {
    "heo": "2", "hai": "2", "ba": "3", "bon": "4", "tu": "4", "nam": "5", "sau": "6", "bay": "7", "tam": "8",
    "chin": "9", "muoi": "10", "boi": "J", "dam": "Q", "gia": "K", "xi": "A", "at": "A", "ach": "A",
}  # fmt: skip
RANK_OF: Final = {
    **{name.lower(): rank for rank, name in enumerate(RANKS)},
    "t": RANKS.index("10"),
    **{word: RANKS.index(name) for word, name in RANK_WORDS.items()},
}

SPADE, CLUB, DIAMOND, HEART = (1, 2, 4, 8)
SUITS_OF: Final = {
    "♠": SPADE, "s": SPADE, "b": SPADE, "bich": SPADE,
    "♣": CLUB, "ch": CLUB, "chuon": CLUB, "chuong": CLUB, "tep": CLUB,
    "♦": DIAMOND, "d": DIAMOND, "r": DIAMOND, "ro": DIAMOND,
    "♥": HEART, "h": HEART, "co": HEART,
    "c": CLUB | HEART, "do": DIAMOND | HEART, "den": SPADE | CLUB,
    "♤": SPADE, "♧": CLUB, "♢": DIAMOND, "♡": HEART, "❤": HEART,
    "?": 15,
}  # fmt: skip
"""A suit's name → the suits it may be, as bits in the order of strength."""

MARKED: Final = {
    "bich": "bích", "chuon": "chuồn", "tep": "tép", "ro": "rô", "co": "cơ", "do": "đỏ", "den": "đen",
    "bon": "bốn", "tu": "tư", "nam": "năm", "sau": "sáu", "bay": "bảy", "tam": "tám", "chin": "chín",
    "muoi": "mười", "boi": "bồi", "dam": "đầm", "gia": "già", "xi": "xì", "at": "át", "ach": "ách",
    "doi": "đôi", "cap": "cặp", "sam": "sám", "quy": "quý", "sanh": "sảnh", "rong": "rồng", "thong": "thông",
}  # fmt: skip
"""Words for cards as they are written with their marks, to be suggested."""

FILLERS: Final = frozenset(("la", "con", "quan", "cay", "va", "+"))
"""Words among cards that say nothing."""

COMBINATIONS: Final = {
    "doi": "pair", "cap": "pair", "sam": "triple", "sam co": "triple", "xam": "triple", "xam co": "triple",
    "tu quy": "four", "sanh": "sequence", "sanh rong": "dragon", "doi thong": "pairs",
}  # fmt: skip
COUNTS: Final = {"3": 3, "4": 4, "5": 5, "6": 6, "ba": 3, "bon": 4, "tu": 4, "nam": 5, "sau": 6}
TO: Final = frozenset(("den", "toi", "-", "->", "→", "to"))
UP_FROM: Final = frozenset(("tu",))

UNKNOWN_HOLDING: Final = frozenset(("khong ro", "khong biet", "ko ro", "ko biet", "?", "null"))
WHOLE: Final = "het"
"""Ends a holding of fewer cards than are dealt, when that was all."""
