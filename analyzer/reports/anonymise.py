"""A hand without anything that says whose it was: the play and the money stay, the people go."""

from __future__ import annotations

from string import ascii_uppercase

from msgspec.structs import replace

from analyzer.locale import N_, Message, translate
from analyzer.logs.hand import Hand, NoteEvent, Player


class Pseudonyms:
    """Letters for people, in the order in which they are first met: the same person, the same letter."""

    def __init__(self) -> None:
        self._letters: dict[tuple[str, str], str] = {}

    def letter(self, club_id: str, player_id: str) -> str:
        """``A`` to ``Z``, then ``AA`` and so on."""
        person = (club_id, player_id)
        if person not in self._letters:
            self._letters[person] = _letters(len(self._letters))
        return self._letters[person]


def _letters(number: int) -> str:
    before, last = divmod(number, len(ascii_uppercase))
    return (_letters(before - 1) if before else "") + ascii_uppercase[last]


def anonymise(hand: Hand, pseudonyms: Pseudonyms, lang: str) -> Hand:
    """The hand under pseudonyms in a language; ids, times of day, notes and reasons are left out.

    The events keep their numbers, so what is said of event 12 is said of the same event.
    """
    left_out = translate(N_("(left out)"), lang)
    letters = [pseudonyms.letter(hand.club_id, player.id) for player in hand.players]
    names = {letter: Message(N_("Player {letter}"), letter=letter) for letter in letters}
    return replace(
        hand,
        hand_id=translate(N_("a hand without names"), lang),
        club_id="",
        session_id=None,
        table_id=None,
        hand_no=None,
        played_at=None,
        revision=None,
        players=tuple(Player(id=one, name=named.render(lang)) for one, named in names.items()),
        events=[replace(e, text=left_out) if isinstance(e, NoteEvent) else e for e in hand.events],
    )
