"""`rules`, `why` and `trace`: a program and its moves in plain English."""

from collections.abc import Callable
from pathlib import Path

from rulesengine import State
from rulesengine.cli.arguments import Options
from rulesengine.cli.output import json_result, result
from rulesengine.cli.specs import load_game, position_of
from rulesengine.errors import UsageError
from rulesengine.game import Game
from rulesengine.play import marked_board
from rulesengine.prose import Format, account, rules_page, trace_text
from rulesengine.support.files import write_new


def rules(options: Options) -> int:
    """The rules of a game as text, Markdown or HTML, printed or written to a new file."""
    game = load_game(options.spec, options)
    if options.output is not None:
        _write_rules(game, Path(options.output), options.format)
        return 0
    _print(rules_page(game, options.format, _picture(game, options.format)), options)
    return 0


def _picture(game: Game, form: Format) -> str:
    """The start, as a page in a format shows it."""
    return _indented(_draw(game)(game.initial_state(), 0)) if form == "text" else game.svg()


def why(options: Options) -> int:
    """Which clause a move breaks, or by which rule it is legal and what it captures."""
    game = load_game(options.spec, options)
    state = position_of(game, options.position)
    _print(account(game, state, options.move, _draw(game)), options)
    return 0


def trace(options: Options) -> int:
    """What a legal move does, effect by effect."""
    game = load_game(options.spec, options)
    state = position_of(game, options.position)
    _print(trace_text(game, state, game.move(options.move, state), _draw(game)), options)
    return 0


def _print(text: str, options: Options) -> None:
    if options.json:
        json_result({"text": text})
    else:
        result(text)


def _write_rules(game: Game, path: Path, form: Format) -> None:
    """Write the page, and the picture of Markdown beside it; nothing that is there is replaced."""
    if form != "markdown":
        write_new(path, rules_page(game, form, _picture(game, form)))
        return
    picture = path.with_suffix(".svg")
    if picture == path:
        raise UsageError(f"{path}: the page needs another name than its picture")
    if path.exists():
        raise UsageError(f"{path}: is there already")
    write_new(picture, game.svg() + "\n")
    try:
        write_new(
            path, rules_page(game, "markdown", f"![The board at the start](<{picture.name}>)")
        )
    except BaseException:
        picture.unlink(missing_ok=True)
        raise


def _draw(game: Game) -> Callable[[State, int], str]:
    """What draws the board of a state with the cells of a mask marked."""

    def draw(state: State, mask: int) -> str:
        marked = frozenset(i for i in range(mask.bit_length()) if mask >> i & 1)
        return marked_board(game, state, marked)

    return draw


def _indented(text: str) -> str:
    return "\n".join(f"  {line}".rstrip() for line in text.splitlines())
