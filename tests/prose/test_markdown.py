"""Rules in Markdown: HTML, links and images of a spec are escaped."""

import pytest

from rulesengine.loading import load_source
from rulesengine.prose import rules_page
from rulesengine.prose.markdown import escape_markdown
from rulesengine.support.source import Source

SPEC = """
spec: 1
name: <script>alert(1)</script> & [more](javascript:alert(2))
board: {rows: 1, columns: 3}
players: [one, two]
pieces: {stone: {one: x, two: o}, empty: "."}
rules:
  moves: {place: stone, to: empty}
  end: {when: none(empty), result: draw, reason: "<img src=x onerror=go> ![](http://a.b)"}
"""


def test_html_and_links_of_a_spec_are_escaped() -> None:
    page = rules_page(load_source(Source("evil.yaml", SPEC)), "markdown")
    title = "# &lt;script&gt;alert(1)&lt;/script&gt; &amp; \\[more\\](javascript:alert(2))"
    assert page.splitlines()[0] == title
    assert "&lt;img src=x onerror=go&gt; !\\[\\](http://a.b)" in page
    assert "<script" not in page
    assert "<img" not in page


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("2 < 3 & 4 > 1", "2 &lt; 3 &amp; 4 &gt; 1"),
        ("`a < b` <b>", "`a < b` &lt;b&gt;"),
        ("``a ` <b>`` <i>", "``a ` <b>`` &lt;i&gt;"),
        ("` a `` b ` <i> ` c", "` a `` b ` &lt;i&gt; \\` c"),
        ("`` <b> `", "\\`\\` &lt;b&gt; \\`"),
        ("*all* of may_castle, _x_ \\ [a](b)", "\\*all\\* of may_castle, \\_x\\_ \\\\ \\[a\\](b)"),
    ],
)
def test_text_outside_code_spans_is_escaped(text: str, escaped: str) -> None:
    assert escape_markdown(text) == escaped
