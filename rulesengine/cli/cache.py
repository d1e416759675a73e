"""`cache`: the size of the cache, and its removal."""

from rulesengine.cli.output import json_result, result
from rulesengine.cli.shared_options import Options, Parser, add_json
from rulesengine.errors import UsageError
from rulesengine.support.cache import MAX_TOTAL, Cache


def add_options(command: Parser) -> None:
    """Add the options of the command."""
    add_json(command)
    command.add_argument(
        "action", choices=("info", "clear"), help="info prints place and size, clear empties it"
    )


def execute(options: Options) -> int:
    """Print the location and size of the cache, or empty it."""
    cache = Cache.find()
    if options.action == "clear":
        return _clear(cache, options)
    if isinstance(cache, str):
        return _print_info({"directory": None, "entries": 0, "bytes": 0, "problem": cache}, options)
    return _print_info({**cache.info()._asdict(), "limit": MAX_TOTAL}, options)


def _clear(cache: Cache | str, options: Options) -> int:
    if isinstance(cache, str):
        raise UsageError(f"there is no cache: {cache}")
    removed = cache.clear()
    if options.json:
        json_result({"removed": removed})
    else:
        result(f"{removed} {'entry' if removed == 1 else 'entries'} removed")
    return 0


def _print_info(about: dict[str, object], options: Options) -> int:
    if options.json:
        json_result(about)
    elif about["directory"] is None:
        result(f"there is no cache: {about['problem']}")
    else:
        for name, value in about.items():
            result(f"{name}: {value}")
    return 0
