"""The commands `tienlen rule …`: a disputed hand, what was claimed about it, and what is decided."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

import click

from analyzer.console import (
    _,
    club_option,
    database_errors,
    db_option,
    example,
    failed,
    lang_option,
    tell,
    user_name,
)
from analyzer.exports import one_hand
from analyzer.locale import N_, Message

if TYPE_CHECKING:
    from analyzer.judge.rulings import About, Case, Outcome
    from analyzer.reports.account import Account
    from analyzer.store.deciding import Judged
    from analyzer.store.journal import Journal
    from analyzer.store.rulings import OnHand
    from analyzer.store.treasury import Check

F = Callable[..., Any]

finding_help = _(
    N_("The finding: forfeit, a code with its act such as does_not_beat@7, or hand for the whole hand.")
)


def on_hand(command: F) -> F:
    """The argument and the options that every command about a hand has."""
    for option in (
        lang_option,
        db_option,
        club_option,
        click.argument("hand_id"),
    ):
        command = option(command)
    return command


def by_option(command: F) -> F:
    """Who decides."""
    name = user_name()
    return click.option(
        "--by", default=name, show_default=True, help=_(N_("Who enters this: the name that is kept."))
    )(command)


@click.group(help=_(N_("Disputed hands: claims, decisions on the findings, and what they do to the money.")))
def rule() -> None:
    pass


@rule.command(
    "show",
    help=example(
        N_("Shows a hand's case: findings, claims, decisions, money. Exit code 1: something is undecided."),
        "tienlen rule show mau-den-bai --db club-db",
    ),
)
@on_hand
def rule_show(hand_id: str, club_id: str | None, db: Path, lang: str) -> None:
    from analyzer.reports.cases import to_decide

    with opened(db, hand_id, club_id, lang) as desk:
        desk.show()
        sys.exit(1 if to_decide(desk.account(), desk.case()) else 0)


@rule.command(
    "claim",
    help=example(
        N_("Enters what somebody at the table says was wrong."),
        'tienlen rule claim mau-den-bai --who "Bình" --text "Tôi không có lá nào chặn được"',
    ),
)
@click.option("--who", required=True, help=_(N_("Who claims it.")))
@click.option("--text", required=True, help=_(N_("What is claimed.")))
@by_option
@on_hand
def rule_claim(hand_id: str, who: str, text: str, by: str, club_id: str | None, db: Path, lang: str) -> None:
    from analyzer.store.rulings import CLAIMED, Claimed, may_claim

    with opened(db, hand_id, club_id, lang) as desk:
        sha256 = desk.found.row["content_sha256"]
        claimant = desk.claimant(who.strip())
        claimed = Claimed(**desk.key, content_sha256=sha256, claimant=claimant, text=text.strip())
        desk.enter(CLAIMED, claimed, by, may_claim(claimed))


def _reason(required: bool) -> F:
    told = _(N_("Why; it is kept."))
    if required:
        return click.option("--reason", required=True, help=told)
    return click.option("--reason", default="", help=told)


finding_option = click.option("--finding", required=True, help=finding_help)


@rule.command(
    "uphold",
    help=example(
        N_("Upholds a finding. A forfeit that was only possible is charged then."),
        "tienlen rule uphold mau-den-bai --finding forfeit",
    ),
)
@finding_option
@_reason(False)
@by_option
@on_hand
def rule_uphold(**given: Any) -> None:
    _decide("upheld", **given)


@rule.command(
    "dismiss",
    help=example(
        N_("Dismisses a finding. Of a forfeit nothing is charged then: the frozen pay their own debts."),
        'tienlen rule dismiss mau-den-bai --finding forfeit --reason "lá đó không ai chặn được"',
    ),
)
@finding_option
@_reason(True)
@by_option
@on_hand
def rule_dismiss(**given: Any) -> None:
    _decide("dismissed", **given)


@rule.command(
    "adjust",
    help=example(
        N_("Has one player pay another an amount on top; --from, --to and --amount may be repeated."),
        'tienlen rule adjust mau-den-bai --from Bình --to An --amount 20000 --reason "đánh sai lượt"',
    ),
)
@click.option("--from", "from_", multiple=True, required=True, help=_(N_("Who pays: name or id.")))
@click.option("--to", multiple=True, required=True, help=_(N_("Who is paid: name or id.")))
@click.option("--amount", multiple=True, required=True, help=_(N_("How much.")))
@click.option("--finding", default="hand", show_default=True, help=finding_help)
@_reason(True)
@by_option
@on_hand
def rule_adjust(**given: Any) -> None:
    _decide("adjusted", **given)


def _decide(
    outcome: Outcome, hand_id: str, finding: str, reason: str, by: str, club_id: str | None, db: Path,
    lang: str, from_: Sequence[str] = (), to: Sequence[str] = (), amount: Sequence[str] = (),
) -> None:  # fmt: skip
    from analyzer.store.deciding import ruling_on
    from analyzer.store.rulings import RULED, may_rule

    with opened(db, hand_id, club_id, lang) as desk:
        about = desk.about(finding)
        adjustments = desk.adjustments(from_, to, amount)
        ruled = ruling_on(desk.reader, desk.found, about, outcome, reason.strip(), adjustments)
        desk.enter(RULED, ruled, by, may_rule(ruled))


@rule.command(
    "close",
    help=example(N_("Closes a case: nothing more is decided in it."), "tienlen rule close mau-den-bai"),
)
@_reason(False)
@by_option
@on_hand
def rule_close(hand_id: str, reason: str, by: str, club_id: str | None, db: Path, lang: str) -> None:
    from analyzer.store.rulings import CLOSED, Closed, may_close

    with opened(db, hand_id, club_id, lang) as desk:
        closed = Closed(**desk.key, reason=reason.strip())
        desk.enter(CLOSED, closed, by, may_close(closed))


@rule.command(
    "reopen",
    help=example(
        N_("Opens a case again; what was decided stands until it is decided anew."),
        'tienlen rule reopen mau-den-bai --reason "có người quay phim lại"',
    ),
)
@_reason(True)
@by_option
@on_hand
def rule_reopen(hand_id: str, reason: str, by: str, club_id: str | None, db: Path, lang: str) -> None:
    from analyzer.store.rulings import REOPENED, Reopened, may_reopen

    with opened(db, hand_id, club_id, lang) as desk:
        reopened = Reopened(**desk.key, reason=reason.strip())
        desk.enter(REOPENED, reopened, by, may_reopen(reopened))


class Desk:
    """One stored hand and its case, for a command."""

    def __init__(self, reader: Any, journal: Journal, found: Judged, lang: str) -> None:
        self.reader = reader
        self.journal = journal
        self.found = found
        self.lang = lang

    @property
    def key(self) -> dict[str, str]:
        """Which hand an entry is about."""
        return {"club": self.found.row["club_id"], "hand": self.found.row["hand_id"]}

    def case(self) -> Case:
        """The case as it is now."""
        from analyzer.store.rulings import KINDS, case_of

        return case_of(self.journal.entries(*KINDS), (self.key["club"], self.key["hand"]))

    def account(self) -> Account:
        """The account of the hand, after the rulings."""
        from analyzer.reports.account import make_account

        ruled = self.case().ruled(self.found.row["content_sha256"])
        return make_account(self.found.hand, self.found.rules, ruled)

    def show(self) -> None:
        """Prints the case."""
        from analyzer.reports.cases import case_text

        click.echo(case_text(self.account(), self.case(), self.lang), nl=False)

    def enter(self, kind: str, entry: OnHand, by: str, check: Check) -> None:
        """Enters something, and shows what the case then is."""
        from analyzer.store.typed import unfit

        by = by.strip()
        told = unfit("by", by, 100, 1)
        if told is not None:
            raise failed(told, self.lang)
        number = self.journal.append(kind, entry.data(), by, check).number
        tell(Message(N_("Entered as entry {number} of the journal."), number=number), self.lang)
        click.echo()
        self.show()

    def about(self, name: str) -> About:
        """The finding of a name."""
        from analyzer.judge.rulings import findings_of
        from analyzer.reports.cases import name_of

        every = findings_of(self.found.judgement)
        known = {name_of(about, every): about for about in every}
        if name not in known:
            text = N_("This hand has no finding {name}. It has: {known}")
            told = Message(text, name=repr(name), known=", ".join(known))
            raise click.UsageError(_safe(told, self.lang))
        return known[name]

    def adjustments(
        self, from_: Sequence[str], to: Sequence[str], amounts: Sequence[str]
    ) -> list[tuple[int, int, Decimal]]:
        """Who pays whom how much, by seats."""
        from analyzer.reports.money import parse_amount, unclear_amount

        if not len(from_) == len(to) == len(amounts):
            raise click.UsageError(_(N_("Each --from has its --to and its --amount.")))
        told = []
        for payer, payee, text in zip(from_, to, amounts, strict=True):
            amount = parse_amount(text, self.lang)
            if amount is None:
                raise click.UsageError(_safe(unclear_amount(text, self.lang), self.lang))
            told.append((self._seat(payer), self._seat(payee), amount))
        return told

    def claimant(self, who: str) -> str:
        """Who claims something: a player by the name that the hand has (if it can be kept), anybody else as
        given."""
        from analyzer.store.typed import unfit

        seats = self._seats(who, initials=False)
        if not seats:
            return who
        player = self.found.hand.players[self._one(who, seats)]
        name = player.name or player.id
        return name if unfit("claimant", name, 100) is None else who

    def _seat(self, who: str) -> int:
        return self._one(who, self._seats(who))

    def _seats(self, who: str, initials: bool = True) -> list[int]:
        """The seats that somebody may mean: by the very name, by id, else as the notation reads names.

        An id that was made of a name is no other name: ``hoa`` may mean Hoa, whose id it is, and Hoà.
        """
        from analyzer.logs.notation.people import People, default_ids
        from analyzer.logs.notation.texts import words

        players = self.found.hand.players
        people = People([(player.id, player.name) for player in players])
        if named := [
            seat for seat, player in enumerate(players) if player.name and _is_name(who, player.name)
        ]:
            return named
        own = [seat for seat, player in enumerate(players) if who == player.id]
        made = default_ids([player.name or "" for player in players])
        if any(players[seat].id != made[seat] for seat in own):
            return own
        meant = people.meant(words(who), initials and not own)
        names = [normalize("NFC", player.name or "") for player in players]
        namesakes = {names[seat] for seat in own}
        return own + sorted(seat for seat in meant if seat not in own and names[seat] not in namesakes)

    def _one(self, who: str, seats: Sequence[int]) -> int:
        if len(seats) == 1:
            return seats[0]
        players = self.found.hand.players
        text = N_("{who} is not one player of this hand. It has: {known}")
        if seats:
            text = N_(
                "{who} may be any of these players: {known}. Write the name as it stands here, or the id."
            )
        told = [players[seat] for seat in seats or range(len(players))]
        known = ", ".join(f"{player.name or player.id} ({player.id})" for player in told)
        raise click.UsageError(_safe(Message(text, who=repr(who), known=known), self.lang))


@contextmanager
def opened(db: Path, hand_id: str, club_id: str | None, lang: str) -> Iterator[Desk]:
    """The desk for a stored hand; whatever is refused ends the command with its message."""
    from analyzer.judge.rulings import NotRulable
    from analyzer.store.database import Database
    from analyzer.store.deciding import judged_hand
    from analyzer.store.journal import Journal
    from analyzer.store.reader import open_reader
    from analyzer.store.treasury import Refused

    database = Database(db)
    with database_errors(lang), open_reader(database) as reader:
        found = judged_hand(reader, one_hand(reader, hand_id, club_id, lang))
        try:
            yield Desk(reader, Journal(database), found, lang)
        except (Refused, NotRulable) as error:
            raise failed(error.message, lang) from None
        except ValueError as error:
            why = Message(N_("This cannot be entered: {why}."), why=str(error))
            raise failed(why, lang) from None


def _is_name(text: str, name: str) -> bool:
    """Whether a text is a name as it stands; capitals do not matter where its marks tell which name it is."""
    from analyzer.logs.notation.texts import fold

    text, name = normalize("NFC", text), normalize("NFC", name)
    return text == name or (fold(text) != text.lower() and text.casefold() == name.casefold())


def _safe(told: Message, lang: str) -> str:
    from analyzer.reports.text import safe

    return safe(told.render(lang))
