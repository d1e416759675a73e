"""`schema`: the JSON Schema of specs."""

from rulesengine.cli.output import result
from rulesengine.cli.shared_options import Options, Parser
from rulesengine.support.resources import read_text


def add_options(command: Parser) -> None:
    """Add no option."""


def execute(options: Options) -> int:
    """Print the schema."""
    result(read_text("grammars/game.schema.json"))
    return 0
