"""The sections of the site and the pages of docs/ in each of them."""

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True)
class SitePage:
    """A page of the site: its path without suffix, and its source in the repository.

    A page without a source is generated.
    """

    path: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class SiteSection:
    """A section of the site: the index page with an introduction, and its pages in order."""

    path: str
    title: str
    introduction: str
    pages: tuple[SitePage, ...]


def _docs(*names: str) -> tuple[SitePage, ...]:
    """Return pages of docs/ that keep their names."""
    return tuple(SitePage(name, f"docs/{name}.md") for name in names)


SECTIONS = (
    SiteSection(
        "tutorial-section",
        "Tutorial",
        "Write a first game, then learn the language part by part. Every step runs.",
        _docs(
            "tutorial",
            "guide/concepts",
            "guide/boards",
            "guide/moves",
            "guide/endings",
            "guide/variants",
            "guide/tests",
            "guide/strategies",
            "guide/scripts",
        ),
    ),
    SiteSection(
        "how-to",
        "How-to guides",
        "One task a page: rules to copy, contests, judges, studies, editors and environments.",
        _docs(
            "recipes",
            "serve",
            "export",
            "contests",
            "judge",
            "study",
            "learning",
            "testing",
            "ci",
            "editors",
            "bridges",
        ),
    ),
    SiteSection(
        "reference",
        "Reference",
        "The language, the commands, the messages and the API, complete.",
        (
            *_docs("cheat-sheet", "language"),
            SitePage("words"),
            SitePage("messages"),
            *_docs("commands"),
            SitePage("options"),
            *_docs("python"),
            SitePage("api"),
            *_docs("batches", "formats", "engines"),
            SitePage("search-and-solve", "docs/search.md"),  # Sphinx has a page `search`
            *_docs("policy", "glossary"),
            SitePage("changelog", "CHANGELOG.md"),
        ),
    ),
    SiteSection(
        "explanation",
        "Explanation",
        "How the engine, the search and the tournaments work, and why.",
        (
            *_docs("search-algorithms", "learning-algorithm", "scale", "sources", "evidence"),
            SitePage("architecture", "rulesengine/ARCHITECTURE.md"),
            SitePage("decisions/README", "docs/decisions/README.md"),
        ),
    ),
    SiteSection(
        "contributors",
        "For contributors",
        "How to change the package, its tests and its benchmarks.",
        (
            SitePage("contributing", "CONTRIBUTING.md"),
            SitePage("code-of-conduct", "CODE_OF_CONDUCT.md"),
            SitePage("security", "SECURITY.md"),
            SitePage("tests-of-the-package", "tests/README.md"),
            SitePage("benchmarks", "tests/benchmarks/README.md"),
            SitePage("compile-times", "tests/benchmarks/compile.md"),
            SitePage("strength", "tests/benchmarks/strength.md"),
            SitePage("gpu", "tests/benchmarks/gpu.md"),
            *_docs("release"),
            SitePage("dev/README", "docs/dev/README.md"),
        ),
    ),
)

# Folders whose pages are listed by a page of a section.
FOLDERS = ("docs/decisions", "docs/dev")


def sources() -> dict[str, str]:
    """Return the path in the site of each file of the repository that is a page of it."""
    paths = {page.source: page.path for part in SECTIONS for page in part.pages if page.source}
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).glob("*.md")):
            source = path.relative_to(ROOT).as_posix()
            paths.setdefault(source, source.removeprefix("docs/").removesuffix(".md"))
    paths["README.md"] = "index"
    paths["docs/gallery.md"] = "games/index"
    return paths
