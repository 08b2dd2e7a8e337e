"""Speed beside other programs that check a record of a game, in one run.

    python -m tests.benchmarks.peers [--hands 2000] [--rounds 7] [--write]

Each program reads what it was made for, checks that every act is legal and keeps the state; all take
turns. A program that is not installed is named as missing. README.md says how fair each ratio is.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import io
import json
import statistics
from collections.abc import Callable
from random import Random
from typing import NamedTuple

import msgspec

from analyzer.version import is_compiled
from tests.benchmarks.speed import PHH, conditions, in_turns, over, peer, sample, stages, write_section

PLIES = 79
"""Half moves of the game of chess: about what a tournament game has."""


class Work(NamedTuple):
    """``run`` does some hands and returns their number; the players of one made so many ``acts``."""

    run: Callable[[], int]
    acts: float


def poker() -> Work:
    """PokerKit: the text of one hand parsed and replayed."""
    return Work(peer(), PHH.count('"p'))


def chess_game() -> Work:
    """python-chess: a game of seeded legal moves, parsed from its PGN; each move is checked."""
    import chess
    import chess.pgn

    for seed in range(1000):
        rng, board = Random(f"chess/{seed}"), chess.Board()
        while board.ply() < PLIES and not board.is_game_over():
            board.push(rng.choice(list(board.legal_moves)))
        if board.ply() == PLIES:
            break
    pgn = str(chess.pgn.Game.from_board(board))

    def run() -> int:
        for _ in range(20):
            game = chess.pgn.read_game(io.StringIO(pgn))
            assert game is not None and not game.errors
        return 20

    return Work(run, PLIES)


def dou_dizhu() -> Work:
    """OpenSpiel: stored actions of seeded random games; each is looked up among the legal ones."""
    import pyspiel

    game = pyspiel.load_game("dou_dizhu")
    played = [_random_game(game, Random(f"dou_dizhu/{number}")) for number in range(50)]

    def run() -> int:
        for actions, _ in played:
            state = game.new_initial_state()
            for action in actions:
                if not state.is_chance_node():
                    assert action in state.legal_actions()
                state.apply_action(action)
        return len(played)

    return Work(run, statistics.mean(acts for _, acts in played))


def _random_game(game: object, rng: Random) -> tuple[list[int], int]:
    """All actions of a game, those of the deal too, and how many of them a player chose."""
    state = game.new_initial_state()  # type: ignore[attr-defined]
    actions, acts = [], 0
    while not state.is_terminal():
        if state.is_chance_node():
            action = rng.choice([outcome for outcome, _ in state.chance_outcomes()])
        else:
            action = rng.choice(state.legal_actions())
            acts += 1
        actions.append(action)
        state.apply_action(action)
    return actions, acts


PEERS: dict[str, tuple[str, Callable[[], Work]]] = {
    "PokerKit {}, a hand of hold'em, parse and replay": ("pokerkit", poker),
    "python-chess {}, a game, PGN with legality": ("chess", chess_game),
    "OpenSpiel {} dou_dizhu (C++), stored actions, each checked": ("open_spiel", dou_dizhu),
}
"""What is measured, the package it comes from, and how."""


def collected(lines: list[bytes], events: float) -> tuple[dict[str, Work], list[str]]:
    """The work of every program that is installed, and the names of the others."""
    work: dict[str, Work] = {}
    missing = []
    for name, (package, make) in PEERS.items():
        try:
            work[name.format(importlib.metadata.version(package))] = make()
        except ImportError:
            missing.append(name.format("(not installed)"))
    work["json.loads of the same bytes (floor)"] = Work(over(lines, json.loads), events)
    work["msgspec, untyped, of the same bytes (floor)"] = Work(over(lines, msgspec.json.decode), events)
    ours = "end to end: NDJSON in, verdict facts out"
    work[f"**tienlen**, {ours}"] = Work(stages(lines)[ours], events)
    return work, missing


def measure(hands: int, rounds: int) -> str:
    lines, events = sample(hands)
    work, missing = collected(lines, events)
    times = in_turns({name: each.run for name, each in work.items()}, rounds)
    out = [
        *conditions(lines, events, rounds),
        "",
        "| what | acts a hand | µs a hand | hands/s | acts/s | tienlen is faster by, hands | acts |",
        "|---|---|---|---|---|---|---|",
    ]
    *_, (own, own_took) = times.items()
    for name, took in times.items():
        acts = work[name].acts
        by_act = (took / acts) / (own_took / work[own].acts)
        out.append(
            f"| {name} | {acts:.1f} | {took:.1f} | {1e6 / took:,.0f} | {acts * 1e6 / took:,.0f} "
            f"| {took / own_took:.2f} | {by_act:.2f} |"
        )
    return "\n".join(out) + "\n" + "".join(f"\n{name}: not measured.\n" for name in missing)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hands", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--write", action="store_true", help="put the table into RESULTS.md")
    options = parser.parse_args()
    heading = "## Peers, compiled" if is_compiled() else "## Peers"
    text = measure(options.hands, options.rounds)
    print(f"{heading}\n\n{text}")
    if options.write:
        write_section(heading, text)


if __name__ == "__main__":
    main()
