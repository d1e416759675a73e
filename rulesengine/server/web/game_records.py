"""Records of games: writing one as text, and reading one back."""

from collections.abc import Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import Any

from rulesengine.errors import NotationError, RulesError
from rulesengine.formats.entries import GameEntry
from rulesengine.formats.values import GameResult
from rulesengine.play import (
    format_of,
    game_entries,
    game_for,
    read_record,
    replay,
    to_record,
    write_record,
    written_game,
)
from rulesengine.play.game_files import RECORD
from rulesengine.play.records import GameRecord
from rulesengine.play.records.conversion import from_record, with_outcome
from rulesengine.server.web.errors import RequestError
from rulesengine.server.web.game_cache import GameCache, Line
from rulesengine.server.web.position import shown_parameters
from rulesengine.server.web.request_fields import (
    JsonObject,
    PositionRequest,
    number_of,
    table_of,
    text_of,
)
from rulesengine.support.frozen import replace
from rulesengine.support.resources import bundled_names

Table = dict[str, object]
_MOST_RECORD = 200_000
_MOST_GAMES = 2_000  # games of a text that are listed
_AGREEMENT = "agreement"
_REASONS = MappingProxyType({"resigned": "resigned", "time": "out of time"})


def record_text(line: Line, request: PositionRequest) -> Table:
    """Return the game as `play` saves it; players are human unless the request names others.

    `settled` is a result by the players, `{"kind": "resigned", "player": "white"}`, and `format`
    the format of another program.
    """
    occupants = table_of(request.more, "players")
    players = {name: str(occupants.get(name, "human"))[:100] for name in line.game.players}
    if any("\n" in player for player in players.values()):
        raise RequestError("request", "`players`: expected texts of one line")
    record = line.session(players).record()
    named = "" if request.transforms else request.spec.name  # a record cannot name transforms
    settled = _settlement(table_of(request.more, "settled"), players) if not record.result else {}
    record = replace(record, spec=named, **settled)
    name = text_of(request.more, "format")
    if name in ("", RECORD):
        return {"text": write_record(record)}
    recorded = with_outcome(line.game, from_record(line.game, replace(record, players={})))
    return {"text": written_game(line.game, recorded, name)}


def _settlement(fields: JsonObject, players: Mapping[str, str]) -> dict[str, Any]:
    """Return the fields of a record for a result by the players. Raises RequestError."""
    kind, player = text_of(fields, "kind"), text_of(fields, "player")
    if not fields or kind == "agreed":
        return {"stated": GameResult(None, _AGREEMENT) if fields else None}
    if kind not in _REASONS or player not in players:
        raise RequestError("request", "`settled`: expected a kind of result and a player")
    return {"forfeit": f"{player}, {_REASONS[kind]}"}


def _settled(record: GameRecord, players: Sequence[str] = ()) -> Table | None:
    """Return a result by the players as `record_text` takes it; None if there is none."""
    if record.stated and record.stated.winner is None:
        return {"kind": "agreed"}
    if record.stated and len(players) == 2:
        loser = next(player for player in players if player != record.stated.winner)
        kind = "time" if "time" in record.stated.reason.lower() else "resigned"
        return {"kind": kind, "player": loser}
    player, _, reason = record.forfeit.partition(", ")
    kinds = [kind for kind, text in _REASONS.items() if text == reason]
    return {"kind": kinds[0] if kinds else "resigned", "player": player} if player else None


def record_game(games: GameCache, fields: JsonObject) -> Table:
    """Return the game of a record, with the request's spec or the spec that the record names.

    A text in a format of another program is read by the request's spec; `game` is the number of
    one of its games, and `games` of the answer lists them. Raises NotationError for a text in no
    format.
    """
    text = text_of(fields, "record", _MOST_RECORD)
    if fields.get("spec") and text.strip() and format_of(text) is None:
        return _other_game(games, fields, text)
    record = read_record(text)
    spec = fields.get("spec") or ({"name": record.spec} if record.spec in bundled_names() else None)
    return {
        "spec": spec,
        "game": record.game,
        "parameters": dict(record.parameters),
        "start": record.start,
        "moves": list(record.moves),
        "players": dict(record.players),
        "result": _result(record),
        "settled": _settled(record),
        "games": [],
        "problems": _problems(games, record, spec, fields),
    }


def _other_game(games: GameCache, fields: JsonObject, text: str) -> Table:
    """Return a game of a text in a format of another program, and the list of its games."""
    game_fields = {name: fields[name] for name in ("spec", "with", "parameters") if name in fields}
    game = game_for(games.game(PositionRequest.of(game_fields)), text)
    number = number_of(fields, "game", 1, _MOST_GAMES)
    entries = list(islice(game_entries(game, text), _MOST_GAMES))
    entry = next((entry for entry in entries if entry.number == number), None)
    if entry is None:
        raise NotationError(f"the text has no game {number}" if entries else "the text has no game")
    recorded = entry.read()
    record = to_record(game, recorded)
    return {
        "spec": fields["spec"],
        "game": game.name,
        "parameters": shown_parameters(game.bind(**record.parameters)),
        "start": record.start,
        "moves": list(record.moves),
        "players": {},
        "result": _result(record),
        "settled": _settled(record, game.players),
        "games": [_listed(entry) for entry in entries] if len(entries) > 1 else [],
        "problems": [str(problem) for problem in recorded.problems],
    }


def _listed(entry: GameEntry) -> Table:
    return {"number": entry.number, "players": list(entry.players), "result": entry.result}


def _result(record: GameRecord) -> Table | None:
    result = record.result
    return {"winner": result.winner, "reason": result.reason} if result else None


def _problems(games: GameCache, record: GameRecord, spec: object, fields: JsonObject) -> list[str]:
    """Return the mismatches of a record: rules, a move, the result."""
    if spec is None:
        name = record.game or "an unknown game"
        return [f"this is a record of {name}, which is no bundled game: open its spec first"]
    table = {"spec": spec, "with": fields.get("with", [])}
    game = games.game(PositionRequest.of(table))
    try:
        played = replay(game, record)
    except RulesError as error:
        if record.game in ("", game.name):
            return [str(error)]
        return [f"this is a record of {record.game}, the spec is of {game.name}: {error}"]
    return [*played.changed, *played.differences]
