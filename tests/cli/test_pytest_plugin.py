"""The pytest plugin: the specs that it collects, and its report of a failed test."""

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]
pytestmark = pytest.mark.slow  # each run is a process of its own: modules are never loaded twice

ROOT = Path(__file__).parents[2]

SPEC = """\
extends: tic-tac-toe
tests:
  - {name: opening, perft: [9, 72]}
  - {moves: a1, board: "...\\n...\\n.x."}
"""


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """Return an empty project that loads only our plugin, installed or not."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTEST_ADDOPTS", "-p rulesengine.pytest_plugin")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return pytester


def test_a_spec_of_the_command_line_is_collected_and_fails_with_the_difference(
    project: pytest.Pytester,
) -> None:
    project.makefile(".yaml", mine=SPEC)
    done = project.runpytest_subprocess("mine.yaml", "-v")
    done.assert_outcomes(passed=1, failed=1)
    done.stdout.fnmatch_lines(["*mine.yaml::opening PASSED*", "*mine.yaml::test 2 FAILED*"])
    text = done.stdout.str()
    assert "  expected  found     differs\n" in text
    assert "  .x.       x..       ^^·\n" in text
    assert "differs at a1 b1" in text
    assert "Traceback" not in text


def test_a_test_can_be_picked_by_its_name(project: pytest.Pytester) -> None:
    project.makefile(".yaml", mine=SPEC)
    project.runpytest_subprocess("mine.yaml", "-k", "opening").assert_outcomes(
        passed=1, deselected=1
    )
    project.runpytest_subprocess("mine.yaml::opening").assert_outcomes(passed=1)


def test_plugin_collects_no_specs_unless_enabled(project: pytest.Pytester) -> None:
    project.makefile(".yaml", mine=SPEC)
    project.runpytest_subprocess().assert_outcomes()


def test_the_settings_name_specs_too(project: pytest.Pytester) -> None:
    folder = project.mkdir("games")
    (folder / "mine.yaml").write_text(SPEC)
    (project.path / "other.yaml").write_text(SPEC)
    project.makeini("[pytest]\nrulesengine_specs = games/*.yaml\n")
    project.runpytest_subprocess().assert_outcomes(passed=1, failed=1)


@pytest.mark.parametrize("pattern", ["/games/*.yaml", "games/**.yaml/**x"])
def test_a_setting_that_is_no_path_from_the_root_folder_is_reported(
    pattern: str, project: pytest.Pytester
) -> None:
    project.makefile(".yaml", mine=SPEC)
    project.makeini(f"[pytest]\nrulesengine_specs = {pattern}\n")
    done = project.runpytest_subprocess()
    assert done.ret != 0
    assert "rulesengine_specs: expected paths" in done.stdout.str() + done.stderr.str()


def test_yaml_of_other_people_is_left_alone(project: pytest.Pytester) -> None:
    project.makefile(".yaml", data="tests: [1, 2]\n", plain="spec: 1\nname: no tests\n")
    done = project.runpytest_subprocess("data.yaml", "plain.yaml")
    done.assert_outcomes()


def test_a_wrong_spec_is_an_error_with_its_findings(project: pytest.Pytester) -> None:
    project.makefile(".yaml", mine="extends: tic-tac-toe\ntests: [{peft: [9]}]\n")
    done = project.runpytest_subprocess("mine.yaml")
    done.assert_outcomes(errors=1)
    assert "did you mean `perft`?" in done.stdout.str()
    assert "Traceback" not in done.stdout.str()


def test_the_engine_is_an_option(project: pytest.Pytester) -> None:
    project.makefile(".yaml", mine=SPEC)
    done = project.runpytest_subprocess("mine.yaml::opening", "--rules-engine", "interpreter")
    done.assert_outcomes(passed=1)
    wrong = project.runpytest_subprocess("mine.yaml::opening", "--rules-engine", "steam")
    assert wrong.ret != 0
    assert "no engine" in wrong.stdout.str()


def test_the_package_does_not_import_pytest(project: pytest.Pytester) -> None:
    code = "import rulesengine, rulesengine.cli, sys; raise SystemExit('pytest' in sys.modules)"
    assert project.runpython_c(code).ret == 0
