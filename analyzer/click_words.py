"""click's own words (headings of a help page, what is wrong with a call) in the language of the program.

click asks the process's gettext domain for them, so that domain is made ours: there they stand with
everything else that a person reads.
"""

from __future__ import annotations

import gettext
import os
from pathlib import Path
from typing import Final

from analyzer import locale
from analyzer.locale import DOMAIN, N_

WORDS: Final = (
    N_("Usage:"),
    N_("Options"),
    N_("Commands"),
    N_("Show this message and exit."),
    N_("Show the version and exit."),
    N_("default: {default}"),
    N_("required"),
    N_("Aborted!"),
    N_("Error: {message}"),
    N_("Try '{command} {option}' for help."),
    N_("Invalid value: {message}"),
    N_("Invalid value for {param_hint}: {message}"),
    N_("Missing argument"),
    N_("Missing option"),
    N_("Missing parameter"),
    N_("Missing command."),
    N_("No such option {name!r}."),
    N_("No such command {name!r}."),
    N_("Option {name!r} requires an argument."),
    N_("Option {name!r} does not take a value."),
    N_("Choose from:\n\t{choices}"),
    N_("{value!r} is not a valid {number_type}."),
    N_("{value} is not in the range {range}."),
    N_("{name} {filename!r} does not exist."),
    N_("{name} {filename!r} is a file."),
    N_("{name} {filename!r} is a directory."),
    N_("{name} {filename!r} is not readable."),
    N_("{name} {filename!r} is not writable."),
    N_("Could not open file {filename!r}: {message}"),
)
"""click's texts that a command of ours can show."""


def speak(lang: str) -> None:
    """From now on click speaks this language, in this process."""
    gettext.bindtextdomain(DOMAIN, str(Path(locale.__file__).parent))
    gettext.textdomain(DOMAIN)
    os.environ["LANGUAGE"] = lang  # what gettext asks first
