"""`python -m website OUT`: build the documentation site."""

import argparse
import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from rulesengine.errors import UsageError
from website.staging import SiteGames, navigation, remove_stale, stage, synchronise


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
    parser.add_argument(
        "--cache", type=Path, help="folder of earlier builds: only changed pages are built again"
    )
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes")
    options = parser.parse_args()
    try:
        from sphinx.cmd.build import build_main
    except ImportError:
        parser.error("the site needs the extra `docs`: `pip install '.[docs]'` in a clone")
    with TemporaryDirectory() as temporary:
        folder = options.cache or Path(temporary, "cache")
        games = SiteGames(
            options.games, options.playground, options.only, options.workers, folder / "exports"
        )
        try:
            stage(Path(temporary, "pages"), games)
        except (FileNotFoundError, UsageError) as error:
            parser.error(str(error))
        synchronise(Path(temporary, "pages"), folder / "pages")
        conf = ["-c", str(Path(__file__).parent), "-D", f"html_extra_path={folder}/pages/extra"]
        conf += ["-d", f"{folder}/doctrees", "-b", "dummy" if options.check else "html"]
        # one process of Sphinx only distributes the pages
        conf += ["-j", str(options.workers + 1)]
        record, sidebar = folder / "navigation", navigation(folder / "pages")
        if not record.is_file() or record.read_text(encoding="utf-8") != sidebar:
            conf.append("-a")  # Sphinx would not update the sidebars of unchanged pages
        record.unlink(missing_ok=True)
        code = build_main(
            ["-q", "-W", "--keep-going", *conf, str(folder / "pages"), str(options.out)]
        )
        if code:
            # a later build would not repeat the warnings of pages that have not changed
            shutil.rmtree(folder / "doctrees", ignore_errors=True)
        elif not options.check:
            record.write_text(sidebar, encoding="utf-8")
            remove_stale(folder / "pages", options.out)
        return code


if __name__ == "__main__":
    raise SystemExit(main())
