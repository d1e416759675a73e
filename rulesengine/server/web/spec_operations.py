"""Operations on the text of a spec: findings, formatting, tests, rules in English."""

from collections.abc import Callable

from rulesengine.errors import SpecError
from rulesengine.game import Game
from rulesengine.language import pipeline
from rulesengine.play import marked_board
from rulesengine.prose import account, rules_page, sections
from rulesengine.server.web.findings import finding_to_json
from rulesengine.server.web.game_cache import GameCache, Line
from rulesengine.server.web.request_fields import PositionRequest, number_of, text_of
from rulesengine.state import State
from rulesengine.support.limits import MAX_SPEC_BYTES
from rulesengine.tools import completion, lint
from rulesengine.tools.format import UnreadableSpec, formatted
from rulesengine.tools.spectests import run_test

Table = dict[str, object]


def check(games: GameCache, request: PositionRequest) -> Table:
    """Return the findings of a text; with `games` also those of random games (slower)."""
    source = request.spec.source
    if request.more.get("games"):
        diagnostics = lint.findings(source)
    else:
        diagnostics = pipeline.analyse(source).findings
    return {"findings": [finding_to_json(finding) for finding in diagnostics]}


def format(games: GameCache, request: PositionRequest) -> Table:
    """Return the text in the layout of `fmt`. Raises SpecError for invalid YAML."""
    try:
        return {"text": formatted(request.spec.source)}
    except UnreadableSpec as error:
        raise SpecError((error.finding,)) from None


def complete(games: GameCache, request: PositionRequest) -> Table:
    """Return the completions at an offset, and the start of the word that they replace."""
    source, offset = request.spec.source, _offset(request)
    word = completion.word_at(source, offset)
    start = word.start if word and word.start <= offset else offset
    candidates = completion.completions(source, pipeline.occurrences(source), offset)
    items = [
        {
            "label": one.label,
            "kind": one.kind,
            "detail": one.detail,
            "write": one.write or one.label,
        }
        for one in candidates
    ]
    return {"from": start, "items": items}


def hover(games: GameCache, request: PositionRequest) -> Table:
    """Return the hover text at an offset, as Markdown."""
    source, offset = request.spec.source, _offset(request)
    word = completion.word_at(source, offset)
    text = completion.hover(source, pipeline.occurrences(source), offset)
    start, end = (word.start, word.end) if word else (offset, offset)
    return {"from": start, "to": end, "markdown": text}


def _offset(request: PositionRequest) -> int:
    return number_of(request.more, "offset", 0, MAX_SPEC_BYTES)


def test(games: GameCache, request: PositionRequest) -> Table:
    """Run the tests of the spec and return the failures."""
    game = games.game(request)
    places = pipeline.places_of_tests(request.spec.source)
    failed = []
    for number, one in enumerate(game.tests):
        if problems := [problem.text for problem in run_test(game, one)]:
            span = places[number] if number < len(places) else None
            line = span.source.position(span.start)[0] if span else None
            name = str(one.get("name", f"test {number + 1}"))
            failed.append({"name": name, "line": line, "differences": problems})
    return {"passed": len(game.tests) - len(failed), "failed": failed}


def rules(games: GameCache, request: PositionRequest) -> Table:
    """Return the rules in English: as sections, as text, and as an HTML page for download."""
    game = games.game(request)
    parts = [{"heading": s.heading, "parts": [*map(_part, s.parts)]} for s in sections(game)]
    picture = marked_board(game, game.initial_state(), frozenset())
    return {
        "title": game.name,
        "sections": [{**one, "parts": [part for part in one["parts"] if part]} for one in parts],
        "text": rules_page(game, "text", picture),
        "html": rules_page(game, "html", game.svg()),
    }


def _part(part: str | tuple[str, ...]) -> str | list[str]:
    return part if isinstance(part, str) else list(part)


def check_move(line: Line, request: PositionRequest) -> Table:
    """Return a flag for a legal move, and the reason if a text is none."""
    text = text_of(request.more, "move")
    move = line.game.find(text, line.state) if text else None
    reason = "" if move else line.game.why_not(text, line.state)
    return {"legal": move is not None, "move": str(move) if move else None, "text": reason}


def explain_move(line: Line, request: PositionRequest) -> Table:
    """Explain in English why a move is legal and its effects, or why it is illegal."""
    return {"text": account(line.game, line.state, text_of(request.more, "move"), _draw(line.game))}


def _draw(game: Game) -> Callable[[State, int], str]:
    def draw(state: State, mask: int) -> str:
        cells = (cell for cell in range(mask.bit_length()) if mask >> cell & 1)
        return marked_board(game, state, frozenset(cells))

    return draw
