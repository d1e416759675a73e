"""Game records in the native text format: a head, the moves in the game's notation, the result.

rulesengine record 1
game: NAME
spec: ARGUMENT OF load         (omitted if it is unknown)
rules: 64 HEXADECIMAL DIGITS
set NAME=VALUE                 (a line for each parameter)
player NAME=human|random|STRATEGY
tag NAME=VALUE                 (a line for each header of a game in another format)
seed: NUMBER
start:                         (only if the game began in another state)
  LINES OF THE STATE
moves:
d3 c3 c4 ...
result: NAME wins, REASON      (or `draw, REASON`, or `unfinished`)
scores: NAME NUMBER, ...       (if the game has scores)
forfeit: NAME, REASON          (if a referee or a resignation ended the game, not its rules)
stated: NAME wins, REASON      (or `draw, REASON`: by resignation, agreement or time)
"""

import json
import re
from collections.abc import Iterator

from rulesengine.errors import NotationError
from rulesengine.formats.values import GameResult
from rulesengine.play.records.record import GameRecord
from rulesengine.state import Outcome
from rulesengine.support.limits import MAX_PLIES

HEAD = "rulesengine record 1"
WIDTH = 80
_FIELD = re.compile(r"(game|spec|rules|seed|result|scores|forfeit|stated): (.+)")
_GIVEN = re.compile(r"(set|player|tag) ([^ =]+)=(.*)")
_RESULT = re.compile(r"(?:(\S+) wins|draw)(?:, (.*))?")
_MOVE = re.compile(r'"(?:\\.|[^"\\])*"|[^\s"]\S*')


def recognise(text: str) -> bool:
    """True if a text begins like a record in this format."""
    return text.startswith(HEAD)


def write(record: GameRecord) -> str:
    """Encode a record; `read` decodes the text to an equal record."""
    lines = [HEAD, f"game: {record.game}"]
    lines += [f"spec: {record.spec}"] if record.spec else []
    lines.append(f"rules: {record.rules}")
    lines += [f"set {name}={value}" for name, value in record.parameters.items()]
    lines += [f"player {name}={player}" for name, player in record.players.items()]
    lines += [f"tag {name}={' '.join(value.split())}" for name, value in record.tags.items()]
    lines.append(f"seed: {record.seed}")
    if record.start:
        lines += ["start:", *("  " + line for line in record.start.splitlines())]
    lines += ["moves:", *_filled(record.moves), *_result_lines(record.result)]
    lines += [f"forfeit: {record.forfeit}"] if record.forfeit else []
    lines += [f"stated: {_result_text(record.stated)}"] if record.stated else []
    return "\n".join(lines) + "\n"


def read(text: str) -> GameRecord:
    """Parse a record. Raises NotationError with the number of the first invalid line."""
    return _Reader(text).record()


def _filled(moves: tuple[str, ...]) -> Iterator[str]:
    """Yield the moves in lines of at most 80 columns, unless a single move is longer."""
    line = ""
    for move in moves:
        plain = _MOVE.fullmatch(move) and move[0] != '"' and move != "result:"
        word = move if plain else json.dumps(move)
        if line and len(line) + 1 + len(word) > WIDTH:
            yield line
            line = ""
        line = f"{line} {word}" if line else word
    if line:
        yield line


def _result_lines(result: Outcome | None) -> Iterator[str]:
    if result is None:
        yield "result: unfinished"
        return
    yield f"result: {_result_text(result)}"
    if result.scores:
        yield "scores: " + ", ".join(f"{name} {score}" for name, score in result.scores.items())


def _result_text(result: Outcome | GameResult) -> str:
    text = f"{result.winner} wins" if result.winner else "draw"
    return f"{text}, {result.reason}" if result.reason else text


class _Reader:
    """A line-by-line parser of records that tracks the line number for errors."""

    def __init__(self, text: str) -> None:
        self._lines = text.removesuffix("\n").split("\n")
        self._at = 0

    def record(self) -> GameRecord:
        if self._next() != HEAD:
            raise self._error(f"expected `{HEAD}`")
        game = self._field("game")
        spec = self._field("spec") if self._peek().startswith("spec: ") else ""
        rules = self._field("rules")
        if not re.fullmatch("[0-9a-f]{64}", rules):
            raise self._error("expected 64 hexadecimal digits")
        parameters = {name: _value(text) for name, text in self._read_settings("set")}
        players = dict(self._read_settings("player"))
        tags = dict(self._read_settings("tag"))
        seed = self._number(self._field("seed"))
        start = self._start()
        moves = self._moves()
        result = self._result()
        forfeit = self._forfeit(result)
        stated = self._stated(result)
        if self._at < len(self._lines):
            self._at += 1
            raise self._error("expected the end of the record")
        return GameRecord(
            game,
            rules,
            moves,
            result,
            spec,
            parameters,
            players,
            seed,
            start,
            forfeit,
            stated,
            tags,
        )

    def _peek(self) -> str:
        return self._lines[self._at] if self._at < len(self._lines) else ""

    def _next(self) -> str:
        line = self._peek()
        self._at += 1
        return line

    def _error(self, expected: str) -> NotationError:
        number = min(self._at, len(self._lines) + 1)
        line = self._lines[number - 1] if number <= len(self._lines) else ""
        shown = "".join(c if c.isprintable() else "?" for c in line[:40])
        actual = f"`{shown}`" if shown else "an empty line"
        actual = actual if number <= len(self._lines) else "the end"
        return NotationError(f"line {number}: {expected}, found {actual}")

    def _field(self, name: str) -> str:
        match = _FIELD.fullmatch(self._next())
        if match is None or match[1] != name:
            raise self._error(f"expected `{name}: ...`")
        return match[2]

    def _read_settings(self, kind: str) -> list[tuple[str, str]]:
        settings: list[tuple[str, str]] = []
        while self._peek().startswith(kind + " "):
            match = _GIVEN.fullmatch(self._next())
            if match is None or not (match[3] or kind == "tag"):
                raise self._error(f"expected `{kind} NAME=...`")
            if match[2] in (name for name, _ in settings):
                raise self._error(f"expected `{match[2]}` once")
            settings.append((match[2], match[3]))
        return settings

    def _number(self, text: str) -> int:
        if not re.fullmatch("0|-?[1-9][0-9]{0,19}", text):
            raise self._error("expected a number")
        return int(text)

    def _start(self) -> str:
        if self._peek() != "start:":
            return ""
        self._at += 1
        lines = []
        while self._peek().startswith("  "):
            lines.append(self._next()[2:])
        if not lines:
            self._at += 1
            raise self._error("expected the lines of a state, each after two blanks")
        return "\n".join(lines)

    def _moves(self) -> tuple[str, ...]:
        if self._next() != "moves:":
            raise self._error("expected `moves:`")
        moves: list[str] = []
        while self._at < len(self._lines) and not self._peek().startswith("result: "):
            moves += self._moves_of(self._next())
            if len(moves) > MAX_PLIES:
                raise self._error(f"expected at most {MAX_PLIES} moves")
        return tuple(moves)

    def _moves_of(self, line: str) -> Iterator[str]:
        for word in _MOVE.findall(line):
            if word[0] != '"':
                yield word
                continue
            try:
                yield json.loads(word)
            except ValueError:
                raise self._error("expected a move") from None
        if _MOVE.sub("", line).strip() or not line.strip():
            raise self._error("expected moves")

    def _result(self) -> Outcome | None:
        text = self._field("result")
        if text == "unfinished":
            return None
        match = _RESULT.fullmatch(text)
        if match is None:
            raise self._error("expected `NAME wins, REASON`, `draw, REASON` or `unfinished`")
        return Outcome(match[1], match[2] or "", self._scores())

    def _scores(self) -> dict[str, int]:
        scores: dict[str, int] = {}
        if not self._peek().startswith("scores: "):
            return scores
        for part in self._field("scores").split(", "):
            name, _, number = part.partition(" ")
            if not name or name in scores:
                raise self._error("expected each player's score once")
            scores[name] = self._number(number)
        return scores

    def _forfeit(self, result: Outcome | None) -> str:
        if result is not None or not self._peek().startswith("forfeit: "):
            return ""
        text = self._field("forfeit")
        if ", " not in text:
            raise self._error("expected `forfeit: NAME, REASON`")
        return text

    def _stated(self, result: Outcome | None) -> GameResult | None:
        if result is not None or not self._peek().startswith("stated: "):
            return None
        match = _RESULT.fullmatch(self._field("stated"))
        if match is None:
            raise self._error("expected `NAME wins, REASON` or `draw, REASON`")
        return GameResult(match[1], match[2] or "")


def _value(text: str) -> int | str:
    return int(text) if re.fullmatch("-?[0-9]{1,19}", text) else text
