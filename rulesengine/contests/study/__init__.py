"""Studies: what a game and its variants are like, by games between players of known budgets."""

from rulesengine.contests.study.design import LADDER, Design
from rulesengine.contests.study.findings import Findings, Step
from rulesengine.contests.study.grid import Variant, grid
from rulesengine.contests.study.leads import Leads
from rulesengine.contests.study.page import study_page
from rulesengine.contests.study.running import Studied, Study, study
from rulesengine.contests.study.text import as_json, study_text
from rulesengine.contests.study.trees import Tree

__all__ = [
    "LADDER",
    "Design",
    "Findings",
    "Leads",
    "Step",
    "Studied",
    "Study",
    "Tree",
    "Variant",
    "as_json",
    "grid",
    "study",
    "study_page",
    "study_text",
]
