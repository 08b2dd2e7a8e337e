"""The theme: colours with enough contrast in light and dark, figures that colour-blind readers can read."""

from __future__ import annotations

import tomllib
from decimal import Decimal
from itertools import combinations
from pathlib import Path
from typing import Any, Final, get_args

import numpy as np
import pytest

from analyzer.judge.transfers import Reason
from dashboards.charts import PALETTE, REASONS, balance_chart, mark, themed

THEME: Final[dict[str, Any]] = tomllib.loads(
    (Path(__file__).parents[1] / "dashboards" / ".streamlit" / "config.toml").read_text("utf-8")
)["theme"]

SIGHTS: Final = {
    "everybody's": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
"""What each kind of eye makes of linear sRGB (Machado, Oliveira and Fernandes 2009, full severity)."""


def linear(colour: str) -> Any:
    """``#rrggbb`` as linear sRGB."""
    parts = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as WCAG 2 computes it: from 1 to 21."""
    low, high = sorted(float(linear(colour) @ [0.2126, 0.7152, 0.0722]) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


def lab(light: Any) -> Any:
    """Linear sRGB as CIE L*a*b* (D65)."""
    to_xyz = np.array(
        [
            [0.4124564, 0.3575761, 0.1804375],
            [0.2126729, 0.7151522, 0.0721750],
            [0.0193339, 0.1191920, 0.9503041],
        ]
    )
    ratio = to_xyz @ np.clip(light, 0, 1) / np.array([0.95047, 1, 1.08883])
    root = np.where(ratio > 0.008856, np.cbrt(ratio), 7.787 * ratio + 16 / 116)
    return np.array([116 * root[1] - 16, 500 * (root[0] - root[1]), 200 * (root[1] - root[2])])


def grounds(scheme: str) -> set[str]:
    """The colours that texts and figures stand on."""
    both = (THEME[scheme], THEME[scheme]["sidebar"])
    return {part[name] for part in both for name in ("backgroundColor", "secondaryBackgroundColor")}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_stand_out_from_every_ground(scheme: str) -> None:
    colours = THEME[scheme]
    texts = {
        name: value for name, value in colours.items() if name.lower().endswith(("textcolor", "linkcolor"))
    }
    assert len(texts) == 9
    for name, colour in texts.items():
        own = colours.get(name.replace("TextColor", "BackgroundColor")) if "TextColor" in name else None
        for ground in grounds(scheme) | ({own} if own else set()):
            assert contrast(colour, ground) >= 4.5, (name, ground)
    for ground in grounds(scheme):
        assert contrast(colours["primaryColor"], ground) >= 4.5, ground
        assert contrast(colours["borderColor"], ground) >= 3, "the edge of a field"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("colour", PALETTE)
def test_figures_stand_out_in_light_and_dark(scheme: str, colour: str) -> None:
    assert contrast(colour, THEME[scheme]["backgroundColor"]) >= 3


@pytest.mark.parametrize("sight", SIGHTS)
def test_no_two_colours_of_a_figure_are_mistaken_for_each_other(sight: str) -> None:
    seen = {colour: lab(SIGHTS[sight] @ linear(colour)) for colour in PALETTE}
    for one, other in combinations(PALETTE, 2):
        assert np.linalg.norm(seen[one] - seen[other]) >= 18, (one, other)


def test_every_cause_has_a_mark_of_its_own() -> None:
    assert set(REASONS) == set(get_args(Reason))
    marks = {(told["color"], told["pattern"].get("shape")) for told in map(mark, REASONS)}
    assert len(marks) == len(REASONS)


def test_figures_of_every_page_take_the_same_colours() -> None:
    assert THEME["chartCategoricalColors"] == list(PALETTE)
    assert tuple(themed([]).layout.template.layout.colorway) == PALETTE


def test_an_axis_of_hands_has_no_parts_of_hands() -> None:
    line = {"an": [(n, f"{n}", Decimal(n)) for n in range(3)]}
    assert balance_chart(line, {"an": "An"}, str, ",.", None).layout.xaxis.dtick == 1
    long = {"an": [(n, f"{n}", Decimal(n)) for n in range(30)]}
    assert balance_chart(long, {"an": "An"}, str, ",.", None).layout.xaxis.dtick is None
