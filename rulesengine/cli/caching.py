"""`cache`: what is kept from run to run, and its removal."""

from rulesengine.cli.arguments import Options
from rulesengine.cli.output import json_result, result
from rulesengine.errors import UsageError
from rulesengine.support.cache import MAX_TOTAL, Cache


def cache(options: Options) -> int:
    """Say where the cache is and how much it holds, or empty it."""
    found = Cache.find()
    if options.action == "clear":
        return _clear(found, options)
    if isinstance(found, str):
        return _show({"directory": None, "entries": 0, "bytes": 0, "problem": found}, options)
    return _show({**found.info()._asdict(), "limit": MAX_TOTAL}, options)


def _clear(found: Cache | str, options: Options) -> int:
    if isinstance(found, str):
        raise UsageError(f"there is no cache: {found}")
    removed = found.clear()
    if options.json:
        json_result({"removed": removed})
    else:
        result(f"{removed} {'entry' if removed == 1 else 'entries'} removed")
    return 0


def _show(about: dict[str, object], options: Options) -> int:
    if options.json:
        json_result(about)
    elif about["directory"] is None:
        result(f"there is no cache: {about['problem']}")
    else:
        for name, value in about.items():
            result(f"{name}: {value}")
    return 0
