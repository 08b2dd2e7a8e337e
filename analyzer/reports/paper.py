"""Sheets to print: one HTML file that asks the network for nothing, for A4, in black and white, and phones.

Whatever is put into a sheet goes through :func:`escaped`; no script runs, and nothing is loaded.
"""

from __future__ import annotations

import base64
import hashlib
import html
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import Final

from analyzer.locale import translate
from analyzer.reports.text import safe

STYLE: Final = """
:root {
  color-scheme: light; color: #1d2420; background: #fff;
  font: 15px/1.45 system-ui, "Noto Sans", sans-serif;
}
body { max-width: 60rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; }
h2 { font-size: 1.15rem; margin: 1.5rem 0 .4rem; }
p { margin: .2rem 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #c8cfcb; padding: .3rem .5rem; text-align: left; vertical-align: top; }
th { border-bottom: 2px solid #1d2420; overflow-wrap: normal; }
.n { white-space: nowrap; font-variant-numeric: tabular-nums; }
.undone { text-decoration: line-through; color: #59625d; }
.sign { display: flex; gap: 2rem; margin-top: 4rem; }
.sign div { flex: 1; border-top: 1px solid #1d2420; padding-top: .3rem; }
@media (max-width: 40rem) { body { padding: .6rem; } th, td { padding: .3rem .25rem; } }
@media print {
  @page { size: A4; margin: 14mm; }
  :root { font-size: 10.5pt; }
  body { padding: 0; max-width: none; }
  thead { display: table-header-group; }
  tr, .sign { break-inside: avoid; }
  h2 { break-after: avoid; }
  .wide { overflow: visible; }
}
"""
"""What all sheets look like."""


def document(title: str, body: Iterable[str], lang: str, style: str = STYLE) -> str:
    """The whole file: ``title`` is plain text, ``body`` the parts of its body as HTML."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return (
        f'<!doctype html>\n<html lang="{lang}"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{escaped(title)}</title>\n<style>{style}</style></head>\n<body>\n"
        + "\n".join(body)
        + "\n</body></html>\n"
    )


def table(heads: Sequence[str], body: Iterable[Sequence[str]], lang: str, kind: str = "") -> str:
    """A table; ``heads`` are texts of the catalogue, the cells HTML. One of the kind ``stacked`` has each
    cell's heading in it too, for a style that puts cells below each other on a phone.
    """
    head = "".join(f"<th>{said(text, lang)}</th>" for text in heads)
    names = [f' data-name="{said(text, lang)}"' if kind == "stacked" else "" for text in heads]
    rows = "".join(
        "<tr>" + "".join(f"<td{name}>{cell}</td>" for name, cell in zip(names, row, strict=True)) + "</tr>\n"
        for row in body
    )
    about = f' class="{kind}"' if kind else ""
    return (
        f'<div class="wide"><table{about}><thead><tr>{head}</tr></thead><tbody>\n{rows}</tbody></table></div>'
    )


def signatures(who: Sequence[str], lang: str) -> str:
    """Lines to sign on; ``who`` are texts of the catalogue."""
    return '<div class="sign">' + "".join(f"<div>{said(one, lang)}</div>" for one in who) + "</div>"


def figure(text: str) -> str:
    """A figure that is not broken over two lines."""
    return f'<span class="n">{escaped(text)}</span>'


def said(text: str, lang: str) -> str:
    """A text of the catalogue as HTML."""
    return escaped(translate(text, lang))


def tagged(tag: str, text: str, lang: str) -> str:
    """A text of the catalogue as an element."""
    return f"<{tag}>{said(text, lang)}</{tag}>"


def escaped(text: object) -> str:
    """Any text as HTML, without characters that turn the direction of what stands beside it."""
    return html.escape(safe(str(text)))


def day_text(day: date, lang: str) -> str:
    """``29/11/2026`` in Vietnamese, ``29 Nov 2026`` in English."""
    from babel.dates import format_date

    return str(format_date(day, "dd/MM/yyyy" if lang == "vi" else "d MMM yyyy", locale=lang))


def moment_text(at: datetime, lang: str) -> str:
    """``29/11/2026 20:15 (+07:00)``: an instant as the clock showed it where it was written down."""
    offset = f"{at:%z}"
    return f"{day_text(at.date(), lang)} {at:%H:%M} ({offset[:3]}:{offset[3:5]})"
