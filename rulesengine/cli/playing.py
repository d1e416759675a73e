"""`play` and `replay`: a game at the terminal, and a record checked."""

import io
import os
import secrets
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from rulesengine.cli.arguments import Options
from rulesengine.cli.output import complain, json_result, result
from rulesengine.cli.specs import load_game
from rulesengine.errors import NotationError, UsageError
from rulesengine.play import (
    Ask,
    GameRecord,
    Replay,
    Session,
    Style,
    Terminal,
    board_text,
    converse,
    read_record,
    replay,
    result_text,
    resumed,
    seated,
)
from rulesengine.prose import objection
from rulesengine.support.files import read_source
from rulesengine.support.interrupts import interruptible

_NARROWEST, _USUAL = 20, 80


def play(options: Options) -> int:
    """Play on the standard streams until the game, the input or the patience ends."""
    game = load_game(options.spec, options)
    players = seated(game, options.player)
    seed = options.seed
    if seed is None:
        seed = secrets.randbits(64) if game.rules.chance else 0
    session = Session.begin(game, players, seed=seed, spec=options.spec)
    if options.load is not None:
        session = resumed(session, Path(options.load), options.player)
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    try:
        source = sys.stdin or io.StringIO()
        with interruptible():
            converse(session, Terminal(source, _write, _style(), _editor(), objection))
    except KeyboardInterrupt:
        _write("\n")
        raise
    finally:
        session.seated.close()
    return 0


def replay_file(options: Options) -> int:
    """Play a record again; 1 if a move or the result differs from what it says.

    With `--strict` other rules are a difference too.
    """
    source = read_source(Path(options.file))
    try:
        record = read_record(source.text)
    except NotationError as error:
        raise NotationError(f"{options.file}: {error}") from None
    played = replay(load_game(spec_of(record, options), options), record)
    for line in (*played.changed, *played.differences):
        complain(f"{options.file}: {line}")
    if options.json:
        json_result(_as_json(played))
    else:
        result(_end_of(played))
    return int(bool(played.differences or (options.strict and played.changed)))


def spec_of(record: GameRecord, options: Options) -> str:
    spec: str = options.spec or record.spec
    if not spec:
        raise UsageError(f"{options.file}: names no spec: give it with --spec")
    return spec


def _end_of(played: Replay) -> str:
    """The last board, and the result."""
    last = played.moves[-1] if played.moves else None
    style = _style()
    ending = result_text(played.outcome) if played.outcome else "unfinished"
    return f"{board_text(played.game, played.states[-1], last, style)}\n{ending}"


def _as_json(played: Replay) -> dict[str, object]:
    outcome = played.outcome
    return {
        "plies": len(played.moves),
        "finished": outcome is not None,
        "winner": outcome.winner if outcome else None,
        "reason": outcome.reason if outcome else None,
        "scores": dict(outcome.scores) if outcome else {},
        "payoffs": dict(outcome.payoffs) if outcome else {},
        "changed": list(played.changed),
        "differences": list(played.differences),
    }


def _write(text: str) -> None:
    if sys.stdout:
        sys.stdout.write(text)
        sys.stdout.flush()


def _style() -> Style:
    """Colours and width as the terminal has them, if there is one."""
    is_terminal = bool(sys.stdout) and sys.stdout.isatty()
    width = max(_NARROWEST, shutil.get_terminal_size().columns - 1) if is_terminal else _USUAL
    return Style(_wants_colour(), width)


def _editor() -> Ask | None:
    """What asks for lines at a terminal: arrow keys, history, Tab for moves and commands.

    None where there is no terminal, or Python has no readline.
    """
    if not (sys.stdin and sys.stdin.isatty() and sys.stdout and sys.stdout.isatty()):
        return None
    try:
        import readline
    except ImportError:
        return None
    readline.set_completer_delims("")
    readline.parse_and_bind("tab: complete")

    def ask(prompt: str, words: Callable[[], Sequence[str]]) -> str | None:
        def complete(text: str, number: int) -> str | None:
            found = [word for word in words() if word.lower().startswith(text.lower())]
            return found[number] if number < len(found) else None

        readline.set_completer(complete)
        try:
            return input(prompt)
        except EOFError:
            _write("\n")
            return None

    return ask


def _wants_colour() -> bool:
    """Whether standard output is a terminal that may show colours (no-color.org)."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM", "dumb") == "dumb"
    return bool(sys.stdout) and sys.stdout.isatty() and not plain
