"""What every command shares: its texts, its options, and how it speaks."""

from __future__ import annotations

import getpass
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from analyzer.click_words import speak
from analyzer.locale import LANGUAGES, N_, Message, default_language, translate

LANG = default_language()
speak(LANG)
DEFAULT_DB = "tienlen-db"


def _(text: str) -> str:
    return translate(text, LANG)


def example(text: str, line: str) -> str:
    """A help text that ends in an example, kept on a line of its own."""
    heading = _(N_("Example:"))
    return f"{_(text)}\n\n\b\n{heading}\n  {line}"


def say(text: str | Message, lang: str = LANG) -> None:
    """A message to standard error."""
    _print(text, lang, err=True)


def tell(text: str | Message, lang: str = LANG) -> None:
    """A line of the result to standard output."""
    _print(text, lang, err=False)


def say_no_hand(paths: Sequence[str], lang: str) -> None:
    """Says that these paths hold no hand, and which files are taken where a path is a folder."""
    from analyzer.logs.carriers import ENDINGS

    text = N_("There is no hand in {paths}.")
    if any(map(os.path.isdir, paths)):
        text = N_(
            "There is no hand in {paths}. In a folder, files ending in {endings} are read; "
            "name a file with another ending, such as .txt, itself."
        )
    say(Message(text, paths=" · ".join(paths), endings=ENDINGS), lang)


def tell_json(value: Any) -> None:
    """A value as a line of JSON to standard output."""
    click.echo(json_text(value))


def json_text(value: Any) -> str:
    """A value as JSON, amounts exact."""
    import msgspec

    return msgspec.json.Encoder(decimal_format="number").encode(value).decode()


def _print(text: str | Message, lang: str, *, err: bool) -> None:
    from analyzer.reports.text import safe

    click.echo(safe(text.render(lang) if isinstance(text, Message) else text), err=err)


def user_name() -> str:
    """The account that runs the program: the name under which its decisions are entered."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # an account without a name, as in some containers
        return "organiser"


def failed(told: Message | str, lang: str = LANG) -> click.ClickException:
    """What ends a command with a message, in which nothing can steer a terminal."""
    from analyzer.reports.text import safe

    return click.ClickException(safe(told.render(lang) if isinstance(told, Message) else told))


@contextmanager
def database_errors(lang: str) -> Iterator[None]:
    """Ends a command with what is wrong about its database."""
    from analyzer.store.database import DatabaseError

    try:
        yield
    except DatabaseError as error:
        raise failed(error.message, lang) from None


@contextmanager
def ctrl_c() -> Iterator[None]:
    """Ctrl-C while DuckDB works comes as KeyboardInterrupt, as everywhere else."""
    try:
        yield
    except RuntimeError as error:
        if "interrupt" not in str(error).lower():  # DuckDB has no other name for it
            raise
        raise KeyboardInterrupt from None


lang_option = click.option(
    "--lang", type=click.Choice(LANGUAGES), default=LANG, show_default=True, help=_(N_("Language of texts."))
)
db_option = click.option(
    "--db",
    type=click.Path(path_type=Path),
    envvar="TIENLEN_DB",
    default=DEFAULT_DB,
    show_default=True,
    help=_(N_("The database folder.")),
)
json_option = click.option("--json", "as_json", is_flag=True, help=_(N_("JSON, and nothing else.")))
force_option = click.option("--force", is_flag=True, help=_(N_("Replace a file that is there.")))
club_option = click.option(
    "--club", "club_id", help=_(N_("The hand of this club; needed where several have its id."))
)
