"""Sphinx configuration of the site."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import rulesengine
from rulesengine.adapters.spec_lexer import SpecLexer

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "rulesengine"
author = "the rulesengine contributors"
copyright = author
version = release = rulesengine.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_copybutton"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
default_role = "literal"
autodoc_typehints = "signature"
autodoc_class_signature = "separated"
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_theme = "furo"
html_title = "rulesengine"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_search_scorer = str(Path(__file__).with_name("scorer.js"))
html_copy_source = False
html_domain_indices = False  # the index of the API names all modules
html_show_sourcelink = False
exclude_patterns = ["extra"]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the lexer of specs; YAML blocks of the pages are specs too."""
    app.add_lexer("rulesengine", SpecLexer)
    app.add_lexer("yaml", SpecLexer)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
