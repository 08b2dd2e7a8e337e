"""Cards whose suit nobody remembers: what their rank decides, and what hangs on the suit."""

from __future__ import annotations

import time
from random import Random
from typing import Any

import pytest

from analyzer.cards import BITS
from analyzer.judge.findings import CODES
from analyzer.judge.judging import Judgement, judge
from analyzer.judge.rulings import forfeit_moves, net_after
from analyzer.judge.suits import RANKS_DECIDE, READS_NOTHING
from analyzer.judge.verdict import make_verdict
from analyzer.logs.canonical import content_sha256
from analyzer.logs.notation import read as notation
from analyzer.logs.reading import read
from analyzer.logs.refusal import Fault
from analyzer.reports.account import make_account
from analyzer.reports.suits import hanging_texts
from analyzer.reports.text import render
from analyzer.reports.view import view_of
from analyzer.rules.house import house_of
from analyzer.rules.loading import preset
from analyzer.simulate import simulate
from tests.hands import Log, hand_of, log, plays, raw

TWO_HANDED: dict[str, Any] = {
    "players": [{"id": "an", "name": "An"}, {"id": "binh", "name": "Bình"}],
    "stake": 10_000,
    "currency": "VND",
}


def judged(value: Log) -> Judgement:
    hand, rules, _ = read(raw(value))
    return judge(hand, house_of(rules))


def told(value: Log, lang: str = "en") -> list[str]:
    hand, rules, _ = read(raw(value))
    return [text.render(lang) for text in hanging_texts(make_account(hand, rules))]


def duel(first: str, second: str, *acts: str) -> Log:
    return log(plays(*acts), deal=[first.split(), second.split()], **TWO_HANDED)


# -- reading ---------------------------------------------------------------------------------------


def test_a_rank_alone_is_read_and_stands_after_the_known_cards_of_its_rank() -> None:
    hand = hand_of(log(plays("0 9? 9s 3d"), deal=None))
    assert hand.events[0].cards == ("3D", "9S", "9?")  # type: ignore[union-attr]
    spelled = hand_of(log(plays("0 3D 9S 9?"), deal=None))
    assert content_sha256(hand) == content_sha256(spelled)
    assert content_sha256(hand) != content_sha256(hand_of(log(plays("0 3D 9S 9H"), deal=None)))
    assert hand_of(log(plays("0 t? 10?"), deal=None)).events[0].cards == ("10?", "10?")  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("cards", "reason", "found"),
    [
        (["8?"] * 5, "repeated_card", "8?"),
        (["8S", "8C", "8D", "8H", "8?"], "repeated_card", "8?"),
        (["8S", "8S", "8?"], "repeated_card", "8S"),
        (["??"], "bad_card", "??"),
        (["1?"], "bad_card", "1?"),
    ],
)
def test_more_cards_of_a_rank_than_there_are_suits_are_refused(
    cards: list[str], reason: str, found: str
) -> None:
    with pytest.raises(Fault) as refused:
        read(raw(log([{"type": "play", "seat": 0, "cards": cards}])))
    assert refused.value.reason == reason
    assert found in refused.value.found


# -- worked by hand --------------------------------------------------------------------------------

AN = "3S 4S 5S 6S 7C 8? 9S 10S JS QS KD AS 2?"
BINH = "3C 4C 5C 6C 7D 8D 9C 10C JC QH KC AC 2D"


def test_whether_eight_beats_eight_hangs_on_the_suit() -> None:
    found = duel(AN, BINH, "0 8?", "1 8D")
    (finding,) = [f for f in judged(found).findings if f.code == "does_not_beat"]
    assert finding.certainty == "possible"
    assert finding.facts["top"] == ["8?"]
    assert "Act 2: 8♦ does not beat 8?: so it is with 8♥, and not with 8♠ / 8♣." in told(found)
    assert "Nước 2: 8♦ không đè được 8?: đúng nếu là 8♥, không đúng nếu là 8♠ / 8♣." in told(found, "vi")


def test_what_the_rank_decides_is_certain() -> None:
    found = duel(AN, BINH, "0 8?", "1 7D", "0 9S")
    assert [(f.code, f.event, f.certainty) for f in judged(found).findings if f.event is not None] == [
        ("does_not_beat", 1, "certain")
    ]
    assert not [text for text in told(found) if text.startswith("Act")]


def test_the_suit_that_the_deal_leaves_is_no_open_suit() -> None:
    """Bình was dealt one eight: whatever eight he played, it is that one."""
    found = duel(AN.replace("8?", "8S").replace("2?", "2S"), BINH, "0 8S", "1 8?")
    judgement = judged(found)
    assert [f.code for f in judgement.findings if f.event is not None] == []
    assert judgement.open == 0
    assert judgement.hanging == []


def test_a_card_that_an_act_names_is_told_with_its_suit() -> None:
    """An plays by name what Bình was dealt; Bình's open sixes may be that card, but An's act is not open."""
    unknown = ["??"] * 11
    found = log(plays("0 6C 6D", "1 6? 6?"), deal=[None, ["6S", "6D", *unknown]], **TWO_HANDED)
    judgement = judged(found)
    (finding,) = [f for f in judgement.findings if (f.code, f.event) == ("card_not_held", 0)]
    assert judgement.open & BITS["6D"]
    assert finding.facts["cards"] == ["6D"]


NAMED = """luật: mien-nam
cược: 10k đ
người chơi: An, Bình, Chi, Dũng
đi trước: An (thỏa thuận)
bài An: 6♠ 6♥ 9♠ 9? 2♠ 2♥ 3♠ 3♣ 4♠ 4♣ 5♠ 5♣ K♣

An lộ 6?
An 9?
Bình 10♦
Chi 2?
Dũng bỏ
An bỏ
Bình bỏ
"""
"""An was dealt both sixes by name, whichever of them was shown, and one of two nines was played."""


def test_a_card_that_is_there_in_every_way_is_told_with_its_suit() -> None:
    hand, rules, _ = read(notation(NAMED)[0].raw or b"")
    account = make_account(hand, rules)
    assert account.judgement.open & BITS["6S"]
    holdings = [frame["holdings"][0] for frame in view_of(account)["frames"]]
    assert holdings[0] == ["3S", "3C", "4S", "4C", "5S", "5C", "6S", "6H", "9S", "9?", "KC", "2S", "2H"]
    assert holdings[2] == ["3S", "3C", "4S", "4C", "5S", "5C", "6S", "6H", "9?", "KC", "2S", "2H"]
    english = render(account, "en")
    assert "3♠ 3♣ 4♠ 4♣ 5♠ 5♣ 6♠ 6♥ 9♠ 9? K♣ 2♠ 2♥" in english
    assert english.count("6?") == 2  # the act, and what is said of it
    assert "could have played (4): 2♥ · 3♠ 3♣ 4♠ 4♣ 5♠ 5♣ · 4♠ 4♣ 5♠ 5♣ 6♠ 6♥" in english
    plays = view_of(account)["events"][1]["choice"]["plays"]
    assert ["6S"] in plays and ["9?"] in plays


def test_money_counts_what_is_owed_in_any_case_and_tells_the_rest() -> None:
    """Bình is left with a two: a black one costs half a stake, 2♥ one (two of diamonds is An's)."""
    acts = ["0 8S", "1 8D", "0 2D", "1", "0 3S 4S 5S 6S 7C", "1", "0 9S 10S JS QS KD AS"]
    found = duel(AN.replace("8?", "8S").replace("2?", "2D"), BINH.replace("2D", "2?"), *acts)
    judgement = judged(found)
    assert judgement.settlement.net == [15_000_000, -15_000_000]
    assert [(t.reason, t.amount) for t in judgement.settlement.transfers] == [
        ("place", 10_000_000),
        ("rotten", 5_000_000),
    ]
    (net,) = [h for h in judgement.hanging if h.about == "net"]
    assert {tuple(case.value): len(case.ways) for case in net.cases} == {
        (15_000_000, -15_000_000): 2,
        (20_000_000, -20_000_000): 1,
    }
    assert told(found)[-1] == (
        "With 2♠ / 2♣: An +15,000\xa0₫ · Bình −15,000\xa0₫. With 2♥: An +20,000\xa0₫ · Bình −20,000\xa0₫."
    )


def test_a_block_that_hangs_on_the_suit_is_undecided() -> None:
    """An's two is 2♠, 2♣ or 2♥; Bình holds 2♦ and passes."""
    judgement = judged(duel(AN, BINH, "0 2?", "1"))
    assert [(p.event, p.seat) for p in judgement.undecided] == [(1, 1)]
    assert judgement.replay.missed == []
    sure = judged(duel(AN.replace("2?", "2S"), BINH, "0 2?", "1"))
    assert [(p.event, p.seat) for p in sure.replay.missed] == [(1, 1)]
    assert sure.undecided == []


def test_a_forfeit_that_hangs_on_the_suit_is_not_charged() -> None:
    """The winner's last single is a nine; the only card that could have beaten it is a nine too."""
    low = ["3C", "3D", "3H", "4C", "4D", "4H", "5C", "5D", "5H", "6C", "6D", "6H"]
    deal = [
        ["3S", "4S", "5S", "6S", "7S", "8S", "9?", "10S", "JS", "QS", "KS", "AS", "2S"],
        [*low, "9D"],
        ["7C", "7D", "7H", "8C", "8D", "8H", "10C", "10D", "10H", "JC", "JD", "JH", "QC"],
        None,
    ]
    deal = deal[:3]
    acts = plays("0 9?", "1", "2", "0 3S 4S 5S 6S 7S 8S", "1", "2", "0 10S JS QS KS AS", "1", "2", "0 2S")
    value = log(acts, deal=deal, seats=3, stake=1000)
    judgement = judged(value)
    assert judgement.forfeit is not None
    # Seat 1 could have beaten 9♠ or 9♣ with 9♦, but not 9♥.  Seat 2 always had a higher card.
    hanging = [h for h in judgement.hanging if h.about in ("forfeit", "missed_block")]
    assert ("missed_block", 1, 1) in {(h.about, h.event, h.seat) for h in hanging}
    assert judgement.forfeit.certainty == "possible"
    assert not [t for t in judgement.settlement.transfers if t.reason == "forfeit"]
    assert any("pays for the table with" in text for text in told(value))


def typed(text: str) -> Judgement:
    (reading,) = notation(text)
    assert reading.hand is not None, reading.problems
    assert reading.rules is not None
    return judge(reading.hand, house_of(reading.rules))


ALL_FROZEN = """luật: mien-nam
cược: 1000 VND
người chơi: An, Bình, Chi, Dũng
đi trước: An (thắng ván trước)
bài An: 3♠ 4♠ 5♠ 6♠ 7♠ 8♠ 9♠ 10♠ J♠ Q♠ K♠ A♠ A♣
bài Bình: J♣ J♦ J♥ 3♣ 3♦ 4♣ 4♦ 6♣ 6♦ 8♣ 8♦ 9♣ 2?
bài Chi: Q♣ Q♦ Q♥ 3♥ 4♥ 5♣ 5♦ 7♣ 7♦ 9♦ 10♣ 10♦ 2?
bài Dũng: K♣ K♦ K♥ A♦ A♥ 2♠ 2♥ 5♥ 6♥ 7♥ 8♥ 9♥ 10♥

An 3♠ 4♠ 5♠ 6♠ 7♠ 8♠ 9♠ 10♠
Bình bỏ
Chi bỏ
Dũng bỏ
An A♠ A♣
Bình bỏ
Chi bỏ
Dũng bỏ
An J♠ Q♠ K♠
"""


def test_what_comes_to_the_same_whichever_two_is_whose_is_charged_whole() -> None:
    """Two frozen seats hold 2♣ and 2♦, one each: 2.5 and 3 stakes, nobody knows whose is which; Dũng pays both."""
    judgement = typed(ALL_FROZEN)
    assert judgement.settlement.net == [9_000_000, 0, 0, -9_000_000]
    assert not [h for h in judgement.hanging if h.about == "net"]


def test_a_forfeit_that_is_dismissed_leaves_what_each_owes_in_any_case() -> None:
    """Without it: Dũng 3.5 stakes for himself; Bình and Chi 2.5 at least, and 0.5 hangs on whose two is red."""
    judgement = typed(ALL_FROZEN)
    after = net_after(judgement.settlement.net, forfeit_moves(judgement, charged=False))
    assert after == [8_500_000, -2_500_000, -2_500_000, -3_500_000]
    assert forfeit_moves(judgement, charged=True) == ()


def test_a_forfeit_by_one_seat_is_certain_whichever_pass_was_the_fault() -> None:
    """Bình could have beaten the aces or, with the other two aces, the threes: he pays 2 + 2 stakes."""
    judgement = typed(
        """luật: mien-nam
cược: 1000 VND
người chơi: An, Bình, Chi
đi trước: An (thắng ván trước)
bài An: A? A? 3♠ 3♣ 4♣ 5♠ 6♠ 7♣ 8♠ 9♠ 10♣ J♠ Q♦
bài Bình: A? A? 4♠ 4♦ 6♣ 6♦ 7♠ 8♣ 10♠ Q♣ K♣ 5♦ 9♦
bài Chi: 3♥ 5♥ 6♥ 7♥ 8♥ 8♦ 10♦ J♦ Q♥ K♦ Q♠ 9♥ J♥

An A? A?
Bình bỏ
Chi bỏ
An 3♠ 3♣
Bình bỏ
Chi bỏ
An 4♣ 5♠ 6♠ 7♣ 8♠ 9♠ 10♣ J♠ Q♦
"""
    )
    assert judgement.forfeit is not None
    assert (judgement.forfeit.seat, judgement.forfeit.certainty) == (1, "certain")
    assert judgement.settlement.net == [4_000_000, -4_000_000, 0]
    assert judgement.next_lead is not None
    assert judgement.next_lead.seat == 1


@pytest.mark.parametrize(("last", "net"), [("An bỏ", None), ("An 2♦", [-3_000_000, 0, 3_000_000])])
def test_cards_received_in_tribute_may_be_the_ones_that_were_played(last: str, net: list[int] | None) -> None:
    """An was dealt 2♦ and given 2♣: the two that Chi's 2♥ chops is either, unless An still plays 2♦."""
    judgement = typed(
        f"""luật: mien-bac
cược: 1000 VND
người chơi: An, Bình, Chi
đi trước: An (thắng ván trước)
bài An: 3♠ 3♣ 4♣ 4♦ 5♠ 5♣ 6♣ 7♣ 8♣ 9♠ A♠ A♣ 2♦
bài Bình: 4♠ 8♦ 8♥ 9♣ 9♦ 9♥ Q♠ Q♣ K♣ K♥ A♦ A♥ 2♣
bài Chi: 3♦ 3♥ 5♦ 5♥ 7♥ 10♦ 10♥ J♠ J♣ J♥ Q♥ 2♠ 2♥

Bình đưa An 2♣
An đưa Bình 4♦
An A♠
Bình bỏ
Chi 2♠
An 2?
Bình bỏ
Chi 2♥
An bỏ
Chi 3♦ 3♥
An bỏ
Bình bỏ
Chi 5♦
{last}
"""
    )
    assert "card_already_played" not in [f.code for f in judgement.findings]
    assert judgement.settlement.net == [-3_000_000, 0, 3_000_000]
    assert bool([h for h in judgement.hanging if h.about == "net"]) == (net is None)


@pytest.mark.parametrize(("said", "played"), [("4", "4♦"), ("7♣ 7?", "7? 7♦"), ("7? 7?", "7♣ 7♦")])
def test_who_named_a_rank_and_plays_it_has_kept_his_word(said: str, played: str) -> None:
    judgement = typed(
        f"luật: mien-nam\ncược: 1000 VND\nngười chơi: An, Bình\nđi trước: An (thắng ván trước)\n"
        f"An nói đánh {said}\nAn {played}\nBình bỏ\n"
    )
    assert not [
        f for f in judgement.findings if f.code == "said_play_then_changed" and f.certainty == "certain"
    ]


# -- against hands whose suits are known --------------------------------------------------------------


def forget(rng: Random, value: Log, share: float) -> Log:
    """The log, with some of its cards by their rank alone, at the deal and wherever they come later."""
    cards = {card for holding in value.get("deal") or () for card in holding or () if card != "??"}
    lost = {card for card in cards if rng.random() < share}

    def blurred(texts: list[str]) -> list[str]:
        return [text[:-1] + "?" if text in lost else text for text in texts]

    deal = (
        [blurred(holding) if holding else holding for holding in value["deal"]] if "deal" in value else None
    )
    events = [{**e, "cards": blurred(e["cards"])} if "cards" in e else e for e in value["events"]]
    return {**value, **({"deal": deal} if deal else {}), "events": events}


@pytest.mark.parametrize("rules", ["mien-nam", "mien-bac", "mien-bac-cuoc", "phong-cua"])
@pytest.mark.parametrize("share", [0.1, 0.5])
def test_the_suits_that_were_are_among_the_ways(rules: str, share: float) -> None:
    """Whatever the truth was: all of it is found, and nothing is certain that it is not."""
    rng = Random(11)
    house = house_of(preset(rules))
    hung = 0
    for value in simulate(6 if share > 0.1 else 40, 5, preset(rules), faults=0.5):
        truth = judge(hand_of(value), house)
        found = judge(hand_of(forget(rng, value, share)), house)
        real = {(f.code, f.event, f.seat) for f in truth.findings}
        held = {(f.code, f.event, f.seat): f.certainty for f in found.findings}
        complete = not any(h.sampled for h in found.hanging)
        if complete:
            assert real <= set(held), value
        # A card named twice may be taken for another one of its rank, which is then no fault.
        sure = {key for key, certainty in held.items() if certainty == "certain"}
        assert sure <= real, value
        assert {p.event for p in found.replay.missed} <= {p.event for p in truth.replay.missed}
        if found.forfeit is not None and found.forfeit.certainty == "certain":
            assert truth.forfeit is not None
            assert truth.forfeit.seat == found.forfeit.seat
        assert sum(found.settlement.net) == -sum(
            t.amount * ((t.to is None) - (t.from_ is None)) for t in found.settlement.transfers
        )
        if found.places is not None:
            assert found.places == truth.places
        hung += bool(found.hanging)
    assert hung


@pytest.mark.parametrize("rules", ["mien-nam", "mien-bac"])
def test_a_hand_of_ranks_alone_is_judged_in_bounded_time(rules: str) -> None:
    house = house_of(preset(rules))
    for value in simulate(3, 8, preset(rules), players=4):
        hand = hand_of(forget(Random(1), value, 1.1))
        began = time.process_time()
        found = judge(hand, house)
        assert time.process_time() - began < 3
        assert not [f for f in found.findings if f.severity == "error" and f.certainty == "certain"]


def test_many_acts_of_ranks_alone_are_judged_in_bounded_time() -> None:
    for ranks in (1, 7):
        acts = [{"type": "play", "seat": k % 4, "cards": [f"{3 + k % ranks}?"]} for k in range(1_900)]
        began = time.process_time()
        judged(log(acts, deal=None))
        assert time.process_time() - began < 5


def test_five_cards_of_a_rank_are_dealt_twice_whatever_their_suits() -> None:
    deal = [[*["3S", "4S", "5S", "6S", "7C"], *["8?"] * 5, *["9S", "10S", "JS"]], BINH.split()]
    codes = [f.code for f in judged(log(deal=deal, **TWO_HANDED)).findings]
    assert "deal_duplicate_card" in codes


def test_a_card_that_was_named_and_then_played_is_one_card() -> None:
    events = [{"type": "say", "seat": 0, "meaning": "play", "cards": ["8?"]}, *plays("0 8?")]
    value = log(
        events,
        deal=[["8?", "8?", "3S", "4S", "5S", "6S", "7S", "9S", "10S", "JS", "QS", "KS", "AS"], None],
        **TWO_HANDED,
    )
    assert "said_play_then_changed" not in [f.code for f in judged(value).findings]


def test_a_card_taken_back_may_be_played_again() -> None:
    events = [*plays("0 8?"), {"type": "take_back", "seat": 0}, *plays("0 8?")]
    value = log(events, deal=[AN.split(), BINH.split()], **TWO_HANDED)
    assert {f.code for f in judged(value).findings if f.severity == "error"} == {"took_back"}


def test_what_another_suit_could_undo_is_not_counted_among_what_ranks_decide() -> None:
    free = RANKS_DECIDE | READS_NOTHING
    assert free <= set(CODES)
    for code in (
        "does_not_beat",
        "card_not_held",
        "opening_card_missing",
        "said_play_then_changed",
        "net_mismatch",
    ):
        assert code not in free


def test_what_a_thing_hangs_on_is_told_by_its_cards_where_the_ways_are_many() -> None:
    """Players know which cards they do not remember; how many ways there are to give them suits is a detail."""
    text = """luật: mien-nam
cược: 10k đ
người chơi: An, Bình
đi trước: An (thỏa thuận)

An 8?
Bình 8?
An 8?
Bình 8?
"""
    hand, rules, _ = read(notation(text)[0].raw or b"")
    account = make_account(hand, rules)
    english = "\n".join(text.render("en") for text in hanging_texts(account))
    assert (
        "Act 3: 8? does not beat 8?: so it is with some suits of 8? in act 2, 8? in act 3 (6 of 12 ways), "
        "and not with other suits of those cards (6 of 12 ways)."
    ) in english
    assert "ways to give suits" not in english


# -- where it is shown -----------------------------------------------------------------------------


def test_no_view_of_the_hand_invents_a_suit() -> None:
    hand, rules, _ = read(raw(duel(AN, BINH, "0 8?", "1 8D", "0 2?", "1")))
    account = make_account(hand, rules)
    verdict = make_verdict(account.judgement, rules, "0" * 64)
    assert [chop.beaten for chop in verdict.chops] == []
    view = view_of(account)
    assert "8?" in view["frames"][0]["holdings"][0]
    assert view["frames"][1]["top"] == ["8?"]
    assert view["events"][0]["cards"] == ["8?"]
    assert len(view["hanging"]) == len(verdict.hanging_on_suits)
    english = render(account, "en")
    assert "What hangs on suits" in english
    assert "8? · An" in english
    assert render(account, "vi").count("?") >= english.count("8?")
