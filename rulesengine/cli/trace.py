"""`trace`: the effects of a legal move, one by one."""

from rulesengine.cli.move_arguments import add_move_in_position, board_drawer
from rulesengine.cli.output import text_result
from rulesengine.cli.shared_options import Options, Parser
from rulesengine.cli.spec_arguments import load_game, position_of


def add_options(command: Parser) -> None:
    """Add the options of the command."""
    add_move_in_position(command)


def execute(options: Options) -> int:
    """Print the effects of a legal move."""
    from rulesengine.prose import trace_text

    game = load_game(options.spec, options)
    state = position_of(game, options.position, options.game)
    move = game.move(options.move, state)
    text_result(trace_text(game, state, move, board_drawer(game)), options)
    return 0
