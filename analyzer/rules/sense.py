"""Values that make another value meaningless: worth a warning, not an error."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.locale import N_, Message
from analyzer.rules.knobs import Knobs
from analyzer.rules.ruleset import RuleSet


def warnings(rules: RuleSet) -> Iterator[tuple[str, Message]]:
    """(knob path, why its value has no effect or is probably not meant)."""
    k = rules.knobs
    if k.frozen.mode == "none" and k.forfeit.all_frozen:
        yield "forfeit.all_frozen", Message(N_("nobody is ever frozen, so nobody forfeits for it"))
    if k.frozen.mode == "village" and k.forfeit.all_frozen:
        yield (
            "forfeit.all_frozen",
            Message(N_("the village reading ends the hand before a forfeit is examined")),
        )
    if k.frozen.mode == "none" and k.frozen.not_when_exactly is not None:
        yield "frozen.not_when_exactly", Message(N_("nobody is ever frozen"))
    if not k.forfeit.all_frozen and (k.forfeit.scope == "last_trick" or not k.forfeit.breaking_sets):
        yield "forfeit.scope", Message(N_("no forfeit is examined, so its scope has no effect"))
    if k.finish.with_two == "allowed" and k.finish.with_four_of_a_kind:
        yield (
            "finish.with_four_of_a_kind",
            Message(N_("going out on a two is allowed, so this has no effect")),
        )
    if k.finish.with_two == "pay_each" and not k.finish.with_two_stakes:
        yield "finish.with_two_stakes", Message(N_("going out on a two is priced at nothing"))
    if k.rotten.payer == "none" and k.rotten.twos_flat is not None:
        yield "rotten.twos_flat", Message(N_("nobody pays for what is left over"))
    if k.end.when == "first_out" and k.chop_money.final_chop != "stands":
        yield (
            "chop_money.final_chop",
            Message(N_("the hand ends at the first player out, so no last play is chopped")),
        )
    if k.combinations.consecutive_pairs == "none" and any(row.by.endswith("_pairs") for row in k.chops):
        yield "chops", Message(N_("consecutive pairs are not played, so their rows have no effect"))
    if k.combinations.consecutive_pairs == "none" and k.lead.steal:
        yield "lead.steal", Message(N_("consecutive pairs are not played, so nobody can steal the lead"))
    if not (k.instant_wins.opening or k.instant_wins.other) and k.instant_wins.counts_twos:
        yield "instant_wins.counts_twos", Message(N_("there is no instant win"))
    yield from _prices(k)
    for players in (2, 3, 4):
        if not k.card_count and not any(row.players == players for row in k.places):
            yield "places", Message(N_("at a table of {n} no place pays anything"), n=players)


def _prices(k: Knobs) -> Iterator[tuple[str, Message]]:
    for row in k.chops:
        price = getattr(k.prices, "four_pairs" if row.by == "five_pairs" else row.by, None)
        if price == 0 and "own" in row.over:
            yield "prices." + row.by, Message(N_("a chop on this bomb costs nothing"))
