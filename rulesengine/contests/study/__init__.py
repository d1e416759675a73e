"""Studies: statistics of a game and its variants, from games between players of known budgets."""

from rulesengine.contests.study.design import LADDER, Design
from rulesengine.contests.study.findings import Findings, Step
from rulesengine.contests.study.grid import Variant, grid
from rulesengine.contests.study.html_page import binned, heat_map, study_page
from rulesengine.contests.study.incremental import IncrementalStudy
from rulesengine.contests.study.lead_changes import Leads
from rulesengine.contests.study.metrics import NOTHING
from rulesengine.contests.study.runner import Study, VariantResult, study
from rulesengine.contests.study.text_report import as_json, named, study_text
from rulesengine.contests.study.tree_size import Tree

__all__ = [
    "LADDER",
    "NOTHING",
    "Design",
    "Findings",
    "IncrementalStudy",
    "Leads",
    "Step",
    "Study",
    "Tree",
    "Variant",
    "VariantResult",
    "as_json",
    "binned",
    "grid",
    "heat_map",
    "named",
    "study",
    "study_page",
    "study_text",
]
