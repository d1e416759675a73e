"""`export`: a game as one file that plays by itself."""

from rulesengine.cli.arguments import Options
from rulesengine.cli.output import result
from rulesengine.cli.specs import given_transforms, load_game, open_source
from rulesengine.server.export.single_file import exported
from rulesengine.support.files import replace
from rulesengine.support.resources import bundled_names
from rulesengine.tools import inspect


def export(options: Options) -> int:
    """Write the file, or print it."""
    game = load_game(options.spec, options)
    transforms = given_transforms(options)
    credit = inspect.credit(open_source(options.spec, transforms))
    is_known = options.spec in bundled_names() and not transforms
    text = exported(game, spec=options.spec if is_known else "", credit=credit)
    if options.output is None:
        result(text.removesuffix("\n"))
    else:
        replace(options.output, text.encode())
    return 0
