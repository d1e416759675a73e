"""The options of `bench` and `doctor`, apart from what carries them out, which costs time."""

import argparse
from collections.abc import Callable


def add_bench(add: Callable[..., argparse.ArgumentParser], spec: str) -> None:
    """The options of `bench`; `spec` says what a spec may be."""
    command = add("bench", "measure the engines: perft, random games, time to the first result")
    command.add_argument("spec", metavar="SPEC", help=spec)
    command.add_argument(
        "--seconds",
        type=seconds,
        default=6.0,
        metavar="S",
        help="about how long to measure, 6 unless given",
    )


def add_doctor(add: Callable[..., argparse.ArgumentParser], spec: str) -> None:
    """The options of `doctor`."""
    command = add("doctor", "say which engines work here, and what a game runs on")
    command.add_argument("spec", metavar="SPEC", nargs="?", help=spec)
    command.add_argument("--all", action="store_true", help="a line for every bundled spec")
    command.add_argument(
        "--trial",
        action="store_true",
        help="play games between ways to search, and keep which of them suits the game",
    )


def seconds(text: str) -> float:
    return _time(text, "seconds", 3600)


def minutes(text: str) -> float:
    return _time(text, "minutes", 10_080)


def _time(text: str, unit: str, most: int) -> float:
    whole, _, part = text.partition(".")
    digits = whole + part
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 9):
        raise argparse.ArgumentTypeError(f"expected a number of {unit}, found `{text[:40]}`")
    if not 0 < float(text) <= most:
        raise argparse.ArgumentTypeError(f"more than 0 and at most {most}, found {text}")
    return float(text)
