"""Settings of a program that plays: `COMMAND -- NAME=VALUE …`, limits and options."""

from collections.abc import Collection

from rulesengine.errors import UsageError


def split_command(command: str, kind: str, limits: Collection[str]) -> tuple[str, dict[str, str]]:
    """Return a command without its settings, and the settings by name.

    The values of `limits` are whole numbers. Raises UsageError.
    """
    program, _, settings = command.partition(" -- ")
    options: dict[str, str] = {}
    for word in settings.split():
        name, _, value = word.partition("=")
        is_valid = value.isascii() and value.isdigit() if name in limits else bool(value)
        if not (name and is_valid):
            raise UsageError(f"{kind}: expected NAME=VALUE behind `--`, found `{word[:40]}`")
        options[name] = value
    return program, options
