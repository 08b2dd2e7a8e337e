"""Texts that people type into what is kept: what is too long, empty, or holds characters that nobody sees."""

from __future__ import annotations

from typing import Final

from analyzer.locale import N_, Message
from analyzer.logs.notation.texts import hidden

LABELS: Final = {
    "reason": N_("The reason"),
    "note": N_("The note"),
    "text": N_("The claim"),
    "claimant": N_("The name of who claims it"),
    "by": N_("The name of who enters it"),
}
"""Field of an entry → what its text is called."""


def unfit(name: str, text: str, most: int, least: int = 0) -> Message | None:
    """Why a text cannot be kept as field ``name``, of ``least`` to ``most`` characters; None where it can."""
    what = Message(LABELS[name])
    at = hidden(text.replace("\n", " "))
    if at is not None:
        told = N_("{what} has a character that nobody sees: {code} at position {at}. Delete it.")
        return Message(told, what=what, code=f"U+{ord(text[at]):04X}", at=at + 1)
    if len(text.strip()) < least:
        return Message(N_("{what} is empty."), what=what)
    if len(text) > most:
        told = N_("{what} has {found} characters; at most {most} are kept.")
        return Message(told, what=what, found=len(text), most=most)
    return None
