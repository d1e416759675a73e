"""Files for contributors and users agree with the package, with each other and with the tree."""

import json
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft7Validator

from rulesengine import __version__
from tests.helpers.cli_calls import call

ROOT = Path(__file__).parents[2]
GITHUB = ROOT / ".github"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CITATION = ROOT / "CITATION.cff"
WORKFLOWS = sorted((GITHUB / "workflows").glob("*.yml"))
WORKFLOW = GITHUB / "workflows" / "ci.yml"
RELEASE = GITHUB / "workflows" / "release.yml"
SITE = GITHUB / "workflows" / "site.yml"
SCHEMA = ROOT / "tests" / "data" / "schemas" / "github-workflow.json"
PAGES = (
    ".github/PULL_REQUEST_TEMPLATE.md",
    "CODE_OF_CONDUCT.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "docs/policy.md",
    "docs/release.md",
    "examples/README.md",
    "tests/README.md",
)
FORMS = sorted((GITHUB / "ISSUE_TEMPLATE").glob("*.yml"))
HOOKS = [ROOT / ".pre-commit-config.yaml", ROOT / ".pre-commit-hooks.yaml"]
DATA = [CITATION, *WORKFLOWS, *HOOKS]
# Paths of users or of a build, not of the repository.
NOT_HERE = re.compile(r"\.venv/|dist/|web/node_modules/|~")


def data(path: Path) -> Any:
    """Return the values of a YAML file as texts: `on` and `3.10` stay as they are written."""
    return yaml.load(path.read_text(encoding="utf-8"), yaml.BaseLoader)


def text(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def versions() -> list[str]:
    """Return the versions of Python that the classifiers name."""
    pattern = re.compile(r"Programming Language :: Python :: (3\.\d+)")
    return [
        found[1] for line in PROJECT["project"]["classifiers"] if (found := pattern.match(line))
    ]


# data files


@pytest.mark.parametrize("path", [*DATA, *FORMS], ids=lambda path: path.name)
def test_a_data_file_is_yaml_without_equal_keys(path: Path) -> None:
    def keys(node: yaml.Node) -> None:
        if isinstance(node, yaml.MappingNode):
            names = [key.value for key, _ in node.value]
            assert len(set(names)) == len(names), names
            for _, value in node.value:
                keys(value)
        elif isinstance(node, yaml.SequenceNode):
            for value in node.value:
                keys(value)

    root = yaml.compose(path.read_text(encoding="utf-8"), yaml.SafeLoader)
    assert root is not None
    keys(root)


def test_the_citation_has_the_version_of_the_package() -> None:
    citation = data(CITATION)
    assert citation["cff-version"] == "1.2.0"
    assert citation["version"] == __version__
    assert citation["license"] == PROJECT["project"]["license"]
    assert [author["name"] for author in citation["authors"]] == [
        author["name"] for author in PROJECT["project"]["authors"]
    ]


def test_the_citation_has_the_date_of_a_released_version_alone() -> None:
    heading = re.search(rf"^## \[?{re.escape(__version__)}\b.*$", text("CHANGELOG.md"), re.M)
    date = re.search(r"\d{4}-\d\d-\d\d", heading[0]) if heading else None
    assert data(CITATION).get("date-released") == (date[0] if date else None)


# workflows


@cache
def workflow_schema() -> Draft7Validator:
    return Draft7Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))


def errors_of_workflow(source: str) -> list[str]:
    """Return the paths of errors by the schema; `on` is a text in YAML 1.2, as GitHub reads it."""
    value = yaml.safe_load(re.sub(r"^on:", "'on':", source, flags=re.M))
    return [error.json_path for error in workflow_schema().iter_errors(value)]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_is_valid_by_the_schema_of_workflows(path: Path) -> None:
    assert errors_of_workflow(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("runs-on:", "run-on:"),
        ("timeout-minutes: 30", "timeout-minutes: soon"),
        ("contents: read", "contents: reads"),
        ("needs: build", "needs: {build: true}"),
        ("branches:", "branch:"),
    ],
)
def test_a_mistake_in_a_workflow_is_an_error_by_the_schema(right: str, wrong: str) -> None:
    source = SITE.read_text(encoding="utf-8")
    assert right in source
    assert errors_of_workflow(source.replace(right, wrong, 1)) != []


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_job_of_a_workflow_needs_jobs_of_the_same_workflow_and_has_a_timeout(path: Path) -> None:
    jobs = data(path)["jobs"]
    for job in jobs.values():
        needs = job.get("needs", [])
        assert set([needs] if isinstance(needs, str) else needs) <= set(jobs)
        assert int(job["timeout-minutes"]) <= 30


def test_the_site_is_deployed_by_one_job_without_a_token() -> None:
    workflow = data(SITE)
    assert workflow["permissions"] == {"contents": "read"}
    jobs = workflow["jobs"]
    allowed = {name: job["permissions"] for name, job in jobs.items() if "permissions" in job}
    assert allowed == {"deploy": {"id-token": "write", "pages": "write"}}
    assert "secrets." not in SITE.read_text(encoding="utf-8")
    used = [step["uses"] for job in jobs.values() for step in job["steps"] if "uses" in step]
    assert [name for name in used if not re.fullmatch(r"actions/[a-z-]+@v\d+", name)] == []


def test_the_site_is_built_by_the_documented_options() -> None:
    commands = [step.get("run", "") for step in data(SITE)["jobs"]["build"]["steps"]]
    (build,) = (command for command in commands if "-m website" in command)
    options = set(re.findall(r"--[a-z]+", build))
    assert {"--games", "--playground", "--cache"} == options
    assert options <= set(re.findall(r"`(--[a-z]+)", text("CONTRIBUTING.md")))


def test_the_workflow_runs_the_gate_on_every_supported_python() -> None:
    job = data(WORKFLOW)["jobs"]["gate"]
    assert job["steps"][-1]["run"] == "bash .ci/run"
    assert job["strategy"]["fail-fast"] == "false"
    assert job["strategy"]["matrix"] == {"python-version": versions()}
    assert int(job["timeout-minutes"]) == 30


def test_the_supported_versions_begin_with_the_least_one_and_leave_none_out() -> None:
    found = [int(version.partition(".")[2]) for version in versions()]
    assert found == list(range(found[0], found[0] + len(found)))
    assert PROJECT["project"]["requires-python"] == f">=3.{found[0]}"
    assert PROJECT["tool"]["mypy"]["python_version"] == f"3.{found[0]}"
    assert PROJECT["tool"]["ruff"]["target-version"] == f"py3{found[0]}"


def test_the_workflow_may_read_and_takes_standard_actions_by_major_version() -> None:
    workflow = data(WORKFLOW)
    assert workflow["permissions"] == {"contents": "read"}
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    used = [step["uses"] for step in steps if "uses" in step]
    assert used
    assert [name for name in used if not re.fullmatch(r"actions/[a-z-]+@v\d+", name)] == []


def test_a_release_is_published_without_a_token_and_by_one_job_alone() -> None:
    workflow = data(RELEASE)
    assert workflow["on"] == {"push": {"tags": ["v*"]}}
    assert workflow["permissions"] == {"contents": "read"}
    jobs = workflow["jobs"]
    allowed = {name: job["permissions"] for name, job in jobs.items() if "permissions" in job}
    assert allowed == {"publish": {"attestations": "write", "id-token": "write"}}
    assert "secrets." not in RELEASE.read_text(encoding="utf-8")
    assert set(jobs["publish"]["needs"]) == {"build", "try"}
    matrix = jobs["try"]["strategy"]["matrix"]
    assert matrix["python-version"] == versions()
    assert matrix["include"] == [{"python-version": versions()[0], "dependencies": "lowest-direct"}]
    used = [step["uses"] for job in jobs.values() for step in job["steps"] if "uses" in step]
    others = [name for name in used if not re.fullmatch(r"actions/[a-z-]+@v\d+", name)]
    assert others == ["pypa/gh-action-pypi-publish@release/v1"]


def test_the_extension_has_the_version_of_the_package() -> None:
    manifest = json.loads(text("editors/vscode/package.json"))
    lock = json.loads(text("editors/vscode/package-lock.json"))
    assert manifest["version"] == lock["version"] == __version__
    assert f"rulesengine-{__version__}.vsix" in text("docs/editors.md")


# forms


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.name)
def test_a_form_has_what_an_issue_form_needs(path: Path) -> None:
    form = data(path)
    if path.name == "config.yml":
        assert set(form) <= {"blank_issues_enabled", "contact_links"}
        return
    needed = {"name", "description", "body"}
    assert needed <= set(form) <= {*needed, "title", "labels"}
    fields = [field for field in form["body"] if field["type"] != "markdown"]
    ids = [field["id"] for field in fields]
    assert len(set(ids)) == len(ids)
    for field in fields:
        assert field["type"] in ("input", "textarea", "dropdown", "checkboxes")
        assert field["attributes"]["label"]
        assert field["type"] != "dropdown" or field["attributes"]["options"]


# hooks


def test_hooks_run_the_tools_of_the_environment() -> None:
    config = data(ROOT / ".pre-commit-config.yaml")
    assert [repo["repo"] for repo in config["repos"]] == ["local"]
    hooks = config["repos"][0]["hooks"]
    tools = {hook["entry"].partition(" ")[0] for hook in hooks}
    assert tools == {f".venv/bin/{name}" for name in ("mypy", "pytest", "ruff", "rulesengine")}
    quick = re.search(r"^(\.venv/bin/ruff format .*)$", text("CONTRIBUTING.md"), re.M)
    assert quick
    entries = " ".join(hook["entry"] for hook in hooks).replace('"', "'")
    (tests,) = re.findall(r"-m '.*'", quick[1])
    assert tests in entries


# policy


def test_the_policy_names_the_supported_versions_of_python() -> None:
    (row,) = re.findall(r"^\| CPython (3\..*?) \| supported", text("docs/policy.md"), re.M)
    assert row.split(", ") == versions()


def test_the_policy_lists_every_extra_with_its_packages() -> None:
    table = re.findall(r"^\| `(\w+)` \| (`.*?) \| ", text("docs/policy.md"), re.M)
    listed = {name: sorted(re.findall(r"`(.*?)`", packages)) for name, packages in table}
    extras = dict(PROJECT["project"]["optional-dependencies"])
    extras.pop("dev")
    assert listed == {name: sorted(packages) for name, packages in extras.items()}


def test_the_policy_names_every_dependency() -> None:
    names = {re.split(r"[<>=]", one)[0] for one in PROJECT["project"]["dependencies"]}
    (packages,) = re.findall(r"^The package needs (.*?)\.", text("docs/policy.md"), re.M)
    assert {name.lower() for name in re.split(r", | and ", packages)} == names


# pages


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_to_a_file_and_a_heading(page: str) -> None:
    links = re.findall(r"\]\(([^)\s]+)\)", text(page))
    dangling = [link for link in links if "://" not in link and not leads_somewhere(page, link)]
    assert dangling == []


def leads_somewhere(page: str, link: str) -> bool:
    name, _, heading = link.partition("#")
    target = (ROOT / page).parent / name if name else ROOT / page
    if not target.resolve().is_relative_to(ROOT) or not target.exists():
        return False
    return not heading or heading in anchors(target.read_text(encoding="utf-8"))


def anchors(page: str) -> set[str]:
    """Return the anchors that GitHub makes of the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", page, flags=re.M | re.S), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES)
def test_every_path_in_backticks_is_in_the_tree(page: str) -> None:
    paths = re.findall(r"`([\w.*-]+/[\w./*-]*)`", text(page))
    missing = [path for path in paths if not NOT_HERE.match(path) and not any(ROOT.glob(path))]
    assert missing == []


def test_every_command_that_these_files_name_exists() -> None:
    files = [text(page) for page in PAGES]
    files += [path.read_text(encoding="utf-8") for path in (*FORMS, *DATA)]
    commands = {word for file in files for word in re.findall(r"`rulesengine ([a-z]+)", file)}
    assert {"doctor", "explain", "new", "serve", "trace", "why"} <= commands
    listed = set(re.findall(r"^  ([a-z]+) ", call("--help").out, re.M))
    assert commands <= listed


def test_the_source_archive_takes_what_there_is() -> None:
    included = PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    assert [path for path in included if not (ROOT / path.lstrip("/")).exists()] == []
    roots = {f"/{Path(page).parts[0]}" for page in PAGES} | {"/CITATION.cff"}
    assert roots <= set(included)
