"""The rules as an HTML page, which prints as a sheet."""

from collections.abc import Sequence
from html import escape

from rulesengine.prose.section import Section

_STYLE = """
:root{color-scheme:light dark}
body{font:1rem/1.5 system-ui,sans-serif;max-width:62rem;margin:1.5rem auto;padding:0 1rem}
h1{font-size:1.7rem;margin:0 0 1rem}
h2{font-size:1.1rem;margin:1.2rem 0 .3rem}
p,ul{margin:.3rem 0}
ul{padding-left:1.3rem}
figure{margin:0 0 1rem 1.5rem;float:right;width:min(45%,26rem)}
figure svg{width:100%;height:auto;max-height:70vh}
@media(max-width:40rem){figure{float:none;width:100%;margin:0 0 1rem}}
@page{margin:14mm}
@media print{
:root{color-scheme:light}
body{font-size:10.5pt;line-height:1.35;margin:0;max-width:none;padding:0}
figure{width:48%;break-inside:avoid}
h2{break-after:avoid}
li{break-inside:avoid}
}"""


def html_page(title: str, sections: Sequence[Section], picture: str) -> str:
    """Return a self-contained page; `picture` is an SVG element or empty."""
    figure = f"<figure>\n{picture}\n</figure>" if picture else ""
    body = [f"<h1>{escape(title)}</h1>", figure, html_sections(sections)]
    head = [
        "<!doctype html>",
        '<html lang="en">',
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title>",
        f"<style>{_STYLE}\n</style>",
    ]
    return "\n".join([*head, *filter(None, body), "</html>"]) + "\n"


def html_sections(sections: Sequence[Section], heading: str = "h2") -> str:
    """Return the sections as part of a page; `heading` is the tag of their headings."""
    return "\n".join(_section(section, heading) for section in sections)


def _section(section: Section, heading: str) -> str:
    parts = "\n".join(_part(part) for part in section.parts if part)
    title = f"<{heading}>{escape(section.heading)}</{heading}>"
    return f"<section>\n{title}\n{parts}\n</section>"


def _part(part: str | tuple[str, ...]) -> str:
    if isinstance(part, str):
        return f"<p>{escape(part)}</p>"
    return "<ul>\n" + "\n".join(f"<li>{escape(item)}</li>" for item in part) + "\n</ul>"
