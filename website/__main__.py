"""`python -m website OUT`: build the documentation site."""

import argparse
import os
from pathlib import Path
from tempfile import TemporaryDirectory

from website.staging import SiteGames, stage


def main() -> int:
    """Build the site and return the exit code of Sphinx; warnings are errors."""
    parser = argparse.ArgumentParser(prog="python -m website", description=__doc__)
    parser.add_argument("out", type=Path, help="folder of the built site")
    parser.add_argument("--games", action="store_true", help="also export every game, to be played")
    parser.add_argument(
        "--playground", action="store_true", help="also write the editor that needs no server"
    )
    parser.add_argument(
        "--only", action="append", metavar="GAME", help="pages of some games alone (repeated)"
    )
    parser.add_argument(
        "--check", action="store_true", help="find wrong links without writing HTML"
    )
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes")
    options = parser.parse_args()
    try:
        from sphinx.cmd.build import build_main
    except ImportError:
        parser.error("the site needs the extra `docs`: `pip install '.[docs]'` in a clone")
    with TemporaryDirectory() as folder:
        staged = Path(folder, "pages")
        games = SiteGames(options.games, options.playground, options.only, options.workers)
        try:
            stage(staged, games)
        except FileNotFoundError as error:
            parser.error(str(error))
        conf = ["-c", str(Path(__file__).parent), "-D", f"html_extra_path={staged}/extra"]
        conf += ["-d", f"{folder}/doctrees", "-b", "dummy" if options.check else "html"]
        return build_main(["-q", "-W", "--keep-going", *conf, str(staged), str(options.out)])


if __name__ == "__main__":
    raise SystemExit(main())
