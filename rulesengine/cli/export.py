"""`export`: a game as one HTML file."""

from rulesengine.cli.output import result
from rulesengine.cli.output_files import check_outputs
from rulesengine.cli.progress import progress
from rulesengine.cli.shared_options import Options, Parser, add_game_options, add_spec
from rulesengine.cli.spec_arguments import given_transforms, load_game, open_source
from rulesengine.support.files import replace
from rulesengine.support.resources import bundled_names


def add_options(command: Parser) -> None:
    """Add the options of the command."""
    add_game_options(command)
    add_spec(command)
    command.add_argument(
        "--to", choices=("html",), default="html", help="html (the default): a page for any browser"
    )
    command.add_argument(
        "-o", "--output", metavar="FILE", help="file to write or replace; otherwise standard output"
    )


def execute(options: Options) -> int:
    """Write the file, or print it."""
    from rulesengine.server.export.single_file import exported
    from rulesengine.tools import inspect

    check_outputs(options, "output")
    game = load_game(options.spec, options)
    transforms = given_transforms(options)
    credit = inspect.credit(open_source(options.spec, transforms))
    is_known = options.spec in bundled_names() and not transforms
    with progress("export"):
        text = exported(game, spec=options.spec if is_known else "", credit=credit)
    if options.output is None:
        result(text.removesuffix("\n"))
    else:
        replace(options.output, text.encode())
    return 0
