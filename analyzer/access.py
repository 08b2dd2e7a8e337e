"""The commands `tienlen access …`: who may see the pages of which club, and who decides."""

from __future__ import annotations

from pathlib import Path

import click

from analyzer.console import _, database_errors, db_option, example, lang_option, say, tell, user_name
from analyzer.locale import N_, Message

ROLE_NAMES = {"viewer": N_("viewer"), "organiser": N_("organiser"), "none": N_("no role")}


@click.group(help=_(N_("Who may see the pages after a login, and who may decide.")))
def access() -> None:
    pass


@access.command("list", help=example(N_("Lists who has a role."), "tienlen access list --db club-db"))
@db_option
@lang_option
def access_list(db: Path, lang: str) -> None:
    from analyzer.store.database import Database
    from analyzer.store.journal import Journal
    from analyzer.store.roles import KIND, roles

    with database_errors(lang):
        database = Database(db)
        database.current()
        found = roles(Journal(database).entries(KIND))
    if not found:
        say(Message(N_("Nobody has a role yet: tienlen access grant EMAIL --role organiser")), lang)
    for email, role in sorted(found.items()):
        name = Message(ROLE_NAMES[role.name]).render(lang)
        clubs = ", ".join(club or "''" for club in sorted(role.clubs)) or "*"
        tell(f"{email:32} {name:14} {clubs:24} {role.at:%Y-%m-%d %H:%M} UTC {role.by}", lang)


@access.command(
    "grant",
    help=example(N_("Gives a person a role."), "tienlen access grant an@example.com --role organiser"),
)
@click.argument("email")
@click.option(
    "--role",
    type=click.Choice(["viewer", "organiser"]),
    required=True,
    help=_(N_("A viewer looks at some clubs; an organiser sees all and decides.")),
)
@click.option(
    "--club", "clubs", multiple=True, help=_(N_("A club that a viewer sees, by its id; repeatable."))
)
@db_option
@lang_option
def access_grant(email: str, role: str, clubs: tuple[str, ...], db: Path, lang: str) -> None:
    _give(email, role, clubs, db, lang)


@access.command(
    "revoke", help=example(N_("Takes a person's role away."), "tienlen access revoke an@example.com")
)
@click.argument("email")
@db_option
@lang_option
def access_revoke(email: str, db: Path, lang: str) -> None:
    _give(email, "none", (), db, lang)


def _give(email: str, role: str, clubs: tuple[str, ...], db: Path, lang: str) -> None:
    from typing import cast

    from analyzer.store.database import Database
    from analyzer.store.roles import RoleName, give

    with database_errors(lang):
        entry = give(Database(db), email, cast(RoleName, role), clubs, user_name())
    name = Message(ROLE_NAMES[role])
    tell(Message(N_("{email}: {role}, from now on."), email=entry.data["email"], role=name), lang)
