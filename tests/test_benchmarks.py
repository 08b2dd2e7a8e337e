"""The benchmarks run, whatever peers are installed."""

from __future__ import annotations

from tests.benchmarks.peers import PEERS, measure


def test_the_peers_are_measured_or_named_as_missing() -> None:
    told = measure(hands=5, rounds=1)
    for name in PEERS:
        assert name.partition(" {")[0] in told
    assert told.count("\n| ") + told.count("not measured") == len(PEERS) + 4
    assert "**tienlen**" in told
