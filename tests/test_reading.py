"""One record's bytes: what is read, what is refused, and how the refusal explains itself."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.locale import LANGUAGES
from analyzer.logs.canonical import content_sha256
from analyzer.logs.reading import read
from analyzer.logs.refusal import REASONS, Fault, Place, Refusal
from tests.hands import DEAL, hand_of, log, plays, raw

EVENTS = plays("0 3S 3D", "1 8S 8C", "2", "3")


def refused(value: Any) -> Fault:
    record = value if isinstance(value, bytes) else raw(value)
    with pytest.raises(Fault) as caught:
        read(record)
    return caught.value


@pytest.mark.parametrize(
    ("value", "reason", "path", "found", "fix"),
    [
        (log(sesion_id="x"), "unknown_key", "sesion_id", "sesion_id", "session_id"),
        (log([{"type": "play", "seat": 0, "crads": ["3S"]}]), "unknown_key", "events[0].crads", "crads", "cards"),
        (log([{"type": "pas", "seat": 0}]), "bad_value", "events[0].type", "pas", "pass"),
        (log([{"type": ["pass"], "seat": 0}]), "bad_value", "events[0].type", "pass", None),
        (log([{"type": {"a": 1}, "seat": 0, "x": 0}]), "bad_value", "events[0].type", "a", None),
        (log([{"type": "pass"}]), "missing_key", "events[0].seat", "—", None),
        (log([{"type": "pass", "seat": 4}]), "bad_number", "events[0].seat", "4", None),
        (log([{"type": "pass", "seat": 2}], seats=2), "bad_seat", "events[0].seat", "2", None),
        (log([{"type": "play", "seat": 0, "cards": ["3X"]}]), "bad_card", "events[0].cards[0]", "3X", "3S"),
        (log([{"type": "play", "seat": 0, "cards": ["??"]}]), "bad_card", "events[0].cards[0]", "??", None),
        (log([{"type": "play", "seat": 0, "cards": ["3S", "♠3"]}]), "repeated_card", "events[0].cards[1]", "♠3", None),
        (log([{"type": "play", "seat": 0, "cards": []}]), "bad_value", "events[0].cards", "[]", None),
        (log([{"type": "exchange", "seat": 1, "to": 1, "cards": ["2S"]}]), "bad_seat", "events[0].to", "1", None),
        (log([{"type": "say", "seat": 0, "meaning": "play"}]), "missing_key", "events[0].cards", "—", None),
        (log([*plays("0 3S"), {"type": "pass", "seat": 1, "at": 3}, {"type": "pass", "seat": 2, "at": 2}]),
         "bad_time", "events[2].at", "2", None),
        (log(stake="1000"), "bad_number", "stake", "1000", None),
        (log(stake=1.5), "bad_number", "stake", "1.5", None),
        (log(stake=-1), "bad_number", "stake", "-1", None),
        (log(stake=2**70), "bad_number", "stake", str(2**70), None),
        (log(rules="mien-nan"), "bad_rules", "rules", "mien-nan", "mien-nam"),
        (log(rules={"extends": "mien-nam", "set": {"prices.two_heart": 1}}), "bad_rules",
         "rules.set['prices.two_heart']", "two_heart", "prices.two_hearts"),
        (log(rules={"extends": "mien-nam", "set": {"tricks.pass_lock": "on"}}), "bad_rules",
         "rules.set['tricks.pass_lock']", "on", None),
        (log(played_at="2026-11-29T20:15:00"), "bad_time", "played_at", "20:15", "+07:00"),
        (log(played_at="2026-13-29T20:15:00+07:00"), "bad_time", "played_at", "2026-13", None),
        (log(players=[{"id": "an"}, {"id": "an"}], deal=None), "bad_players", "players[1].id", "an", None),
        (log(players=[{"id": "an"}], deal=None), "bad_value", "players", "an", None),
        (log(deal=DEAL[:3]), "bad_deal", "deal", "3", None),
        (log(lead={"reason": "won_previous"}), "missing_key", "lead.seat", "—", None),
        (log(lead={"reason": "luck"}), "bad_value", "lead.reason", "luck", None),
        (log(result={"net": [1, 2, 3]}), "bad_result", "result.net", "3", None),
        (log(result={"net": ["1", 0, 0, -1]}), "bad_number", "result.net[0]", "1", None),
        (log(result={"net": [0.0001, 0, 0, 0]}), "bad_number", "result.net[0]", "0.0001", None),
        (log(result={"places": [0, 1, 2, 2]}), "bad_result", "result.places", "2, 2", None),
        (log([{"type": "note", "text": "x"}] * 2001), "too_many_events", "events", "2001", None),
        (log(format="tienlen-hand/2"), "bad_value", "format", "tienlen-hand/2", None),
        ([log()], "wrong_type", "", "", None),
        (5, "wrong_type", "", "5", None),
    ],
)  # fmt: skip
def test_a_refusal_says_what_where_and_what_was_expected(
    value: Any, reason: str, path: str, found: str, fix: str | None
) -> None:
    fault = refused(value)
    assert (fault.reason, fault.path) == (reason, path)
    assert found in fault.found
    assert fault.expected.render("en")
    if fix is not None:
        assert fault.fix is not None
        assert fix in fault.fix.render("en")


@pytest.mark.parametrize(
    ("record", "reason", "path"),
    [
        (b"", "bad_json", ""),
        (b"{", "bad_json", ""),
        (b"\x00\x00", "bad_json", ""),
        (b"\xff\xfe", "bad_encoding", ""),
        (b"[" * 100_000, "too_deep", ""),
        (b'{"a":' * 100_000, "too_deep", ""),
        (raw(log()).replace(b'"stake":1000', b'"stake":1000,"stake":9'), "duplicate_key", "stake"),
        (raw(log(EVENTS)).replace(b'"seat":2}', b'"seat":2,"seat":2}'), "duplicate_key", "events[2].seat"),
        (raw(log()).replace(b'"stake":1000', b'"stake":1e3'), "bad_number", "stake"),
        (raw(log()).replace(b'"stake":1000', b'"stake":NaN'), "bad_number", "stake"),
        (raw(log()).replace(b'"stake":1000', b'"stake":Infinity'), "bad_number", "stake"),
        (raw(log()).replace(b'"stake":1000', b'"stake":' + b"9" * 5000), "bad_number", "stake"),
        (raw(log(result={"net": [0, 0, 0, 0]})).replace(b"[0,0,0,0]", b"[1e2,0,0,-100]"), "bad_number", "result.net[0]"),
        (raw(log()) + b"}", "bad_json", ""),
    ],
)  # fmt: skip
def test_hostile_bytes_are_refused_and_never_raise_anything_else(
    record: bytes, reason: str, path: str
) -> None:
    fault = refused(record)
    assert (fault.reason, fault.path) == (reason, path)


@pytest.mark.parametrize(
    "stake", [b"1e400", b"1e20", b"NaN", b"9" * 30, b"1.5", b"-1", b"1000000000001", b'"1"']
)
def test_a_stake_that_is_none_says_which_numbers_are(stake: bytes) -> None:
    fault = refused(raw(log()).replace(b'"stake":1000', b'"stake":' + stake))
    assert (fault.reason, fault.path) == ("bad_number", "stake")
    told = "a whole number from 0 to 1000000000000, written in digits alone"
    assert fault.expected.render("en") == told


def test_a_repeated_key_cannot_hide_behind_an_escaped_quote() -> None:
    tricky = raw(log(hand_id="x")).replace(b'"hand_id":"x"', b'"hand_id":"\\u0022:"')
    assert read(tricky)[0].hand_id == '":'
    fault = refused(tricky.replace(b'"stake":1000', b'"stake":1000,"stake":9'))
    assert (fault.reason, fault.path) == ("duplicate_key", "stake")


def test_keys_with_an_underscore_are_carried_and_never_interpreted() -> None:
    plain = log(EVENTS)
    noted = json.loads(json.dumps(plain))
    noted["_note"] = {"deep": [1, {"x": None}]}
    noted["events"][0]["_why"] = "…"
    noted["players"][0]["_x"] = 1
    assert content_sha256(hand_of(noted)) == content_sha256(hand_of(plain))


def test_a_null_is_an_absent_key() -> None:
    assert content_sha256(hand_of({**log(), "dealer": None})) == content_sha256(hand_of(log()))


def test_content_does_not_hang_on_key_order_white_space_spelling_or_card_order() -> None:
    plain = log(EVENTS, result={"net": [0.5, -0.5, 0, 0]})
    other = {key: plain[key] for key in reversed(plain)}
    other["deal"] = [
        ["♠" + card[:-1] if card.endswith("S") else card.lower() for card in reversed(h)] for h in DEAL
    ]
    other["events"] = [dict(reversed(event.items())) for event in EVENTS]
    other["events"][0]["cards"] = ["3♦", "3♠️"]
    text = json.dumps(other, indent=3).replace("0.5", "0.500")
    assert content_sha256(read(text.encode())[0]) == content_sha256(hand_of(plain))


@pytest.mark.parametrize(
    "change",
    [
        {"stake": 1001},
        {"events": EVENTS[:3]},
        {"result": {"places": [0, 1, 2, 3]}},
        {"revision": {"number": 2}},
        {"players": [{"id": "an", "name": "An"}, *log()["players"][1:]]},
        {"deal": [DEAL[1], DEAL[0], *DEAL[2:]]},
    ],
)
def test_everything_else_counts(change: dict[str, Any]) -> None:
    assert content_sha256(hand_of(log(EVENTS) | change)) != content_sha256(hand_of(log(EVENTS)))


def test_amounts_are_exact() -> None:
    hand = hand_of(log(result={"net": [2.5, -2.5, 0.001, -0.001]}))
    assert hand.result is not None and hand.result.net is not None
    assert [str(amount) for amount in hand.result.net] == ["2.5", "-2.5", "0.001", "-0.001"]


def test_every_reason_has_a_text_and_every_refusal_a_sentence() -> None:
    for reason in REASONS:
        fault = Fault(reason, "a.b", "x", refused(b"{").expected)
        refusal = Refusal.of(Place("f.ndjson", 3, None, 10), fault, b"y" * 70_000)
        assert len(refusal.raw) == 64 * 1024
        for lang in LANGUAGES:
            told = refusal.message().render(lang)
            assert "f.ndjson:3" in told and "a.b" in told and "{" not in told


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_mutated_logs_are_read_or_refused_and_nothing_else(data: st.DataObject) -> None:
    record = bytearray(raw(log(EVENTS, result={"net": [0, 0, 0, 0]}, played_at="2026-11-29T20:15:00+07:00")))
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(record) - 1))
        piece = data.draw(
            st.sampled_from([b"", b'"', b"{", b"]", b",", b"9", b"-", b"\x00", b"\xc3", b"null", b"\\u0022"])
        )
        record[at : at + data.draw(st.integers(0, 4))] = piece
    try:
        hand, _, canonical = read(bytes(record))
    except Fault as fault:
        assert fault.reason in REASONS
    else:
        assert read(canonical)[2] == canonical
        assert hand.format == "tienlen-hand/1"


@pytest.mark.parametrize("written", ["1e3", "0.50000000000000000000001", "1e-400", "0.0005", "1E2"])
def test_amounts_of_an_agreement_are_exact_or_refused(written: str) -> None:
    spec = raw(log(rules={"extends": "mien-nam", "set": {"frozen.stakes": 7.5}}))
    assert str(read(spec)[1].knobs.frozen.stakes) == "7.5"
    with pytest.raises(Fault) as caught:
        read(spec.replace(b"7.5", written.encode()))
    assert caught.value.reason in ("bad_number", "bad_rules")


@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00+07:00", "9999-12-31T23:59:59-07:00"])
def test_a_moment_that_no_clock_can_hold_is_refused(moment: str) -> None:
    assert refused(log(played_at=moment)).reason == "bad_time"


def test_keys_with_a_default_may_be_null_too() -> None:
    plain = content_sha256(hand_of(log()))
    assert content_sha256(hand_of({**log(), "club_id": None, "currency": None})) == plain
    assert hand_of(log(rules={"extends": "mien-nam", "set": None})).hand_id == "t-1"


@pytest.mark.parametrize("number", ["1e-9999999999999999999", "1e9999999999999999999", "-1e400", "9" * 5000])
@pytest.mark.parametrize("key", ["stake", "hand_no", "x"])
def test_a_number_that_no_machine_holds_is_a_bad_number(number: str, key: str) -> None:
    record = raw({**log(), key: 77}).replace(b"77", number.encode())
    assert refused(record).reason in ("bad_number", "unknown_key")


@pytest.mark.parametrize("depth", [*range(300, 520, 3), 1_000, 100_000])
@pytest.mark.parametrize("bracket", ["[]", '{"a":}'])
def test_rules_nested_too_deeply_are_refused_at_every_depth(depth: int, bracket: str) -> None:
    nested = bracket[:-1] * depth + "1" + bracket[-1] * depth
    rules = f'"rules":{{"extends":"mien-nam","set":{{"places":{nested}}}}}'
    assert refused(raw(log()).replace(b'"rules":"mien-nam"', rules.encode())).reason in (
        "too_deep",
        "bad_rules",
    )


def test_of_many_repeated_keys_the_first_is_named() -> None:
    record = ",".join(f'"k{n % 500}":1' for n in range(1000))
    assert refused(f"{{{record}}}".encode()).path == "k0"
