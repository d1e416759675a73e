"""`why`: the reason why a move is legal or illegal, in plain English."""

from rulesengine.cli.move_arguments import add_move_in_position, board_drawer
from rulesengine.cli.output import text_result
from rulesengine.cli.shared_options import Options, Parser
from rulesengine.cli.spec_arguments import load_game, position_of


def add_options(command: Parser) -> None:
    """Add the options of the command."""
    add_move_in_position(command)


def execute(options: Options) -> int:
    """Print the clause that a move violates, or the rule that allows it and its captures."""
    from rulesengine.prose import account

    game = load_game(options.spec, options)
    state = position_of(game, options.position, options.game)
    text_result(account(game, state, options.move, board_drawer(game)), options)
    return 0
