"""The days of a club: an evening past midnight belongs to the day on which it began.

A club's time zone and the hour at which its day starts are settings in the journal: entries ``setting`` with
``{"club": …, "time_zone": "Asia/Ho_Chi_Minh", "day_starts": "06:00"}``. The last one counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import date, datetime, time, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

import msgspec

from analyzer.locale import N_, Message
from analyzer.store.journal import Entry

SETTING: Final = "setting"

_TIME: Final = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]")


class BadSetting(Exception):
    """A time zone or an hour that is none; ``message`` says what is expected."""

    def __init__(self, text: str, **values: object) -> None:
        self.message = Message(text, **values)
        super().__init__(self.message.render("en"))


class Clock(msgspec.Struct, frozen=True):
    """When a club's days begin: an IANA time zone and a time of the day (``HH:MM``)."""

    time_zone: str = "Asia/Ho_Chi_Minh"
    day_starts: str = "06:00"

    def check(self) -> None:
        """Raises BadSetting."""
        try:
            ZoneInfo(self.time_zone)
        except (ValueError, KeyError, OSError):
            raise BadSetting(
                N_("{found} is no time zone. Write one like Asia/Ho_Chi_Minh."), found=self.time_zone
            ) from None
        if not _TIME.fullmatch(self.day_starts):
            raise BadSetting(
                N_("{found} is no time of the day. Write hours and minutes, like 06:00."),
                found=self.day_starts,
            )

    def begins(self, day: date) -> datetime:
        """The instant at which a club day begins."""
        return datetime.combine(day, time.fromisoformat(self.day_starts), ZoneInfo(self.time_zone))

    def day_of(self, instant: datetime) -> date:
        """The club day to which an instant belongs."""
        start = time.fromisoformat(self.day_starts)
        local = instant.astimezone(ZoneInfo(self.time_zone)).replace(tzinfo=None)
        return (local - timedelta(hours=start.hour, minutes=start.minute)).date()


def clocks(entries: Iterable[Entry]) -> dict[str, Clock]:
    """Club → its clock, for every club that has set one; the others have ``Clock()``."""
    found: dict[str, Clock] = {}
    for entry in entries:
        if entry.kind != SETTING or not isinstance(club := entry.data.get("club"), str):
            continue
        clock = _clock(entry.data, found.get(club, Clock()))
        if clock is not None:
            found[club] = clock
    return found


def _clock(data: Mapping[str, Any], before: Clock) -> Clock | None:
    """The clock after a setting, which may be of one thing only or of another kind altogether."""
    told = {key: data.get(key, getattr(before, key)) for key in ("time_zone", "day_starts")}
    try:
        clock = msgspec.convert(told, Clock)
        clock.check()
    except (msgspec.ValidationError, BadSetting):
        return None
    return clock
