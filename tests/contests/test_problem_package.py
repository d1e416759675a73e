"""Problem packages against the ICPC subset of the format, clause by clause."""

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import yaml

from rulesengine.contests.judge import Case, CaseLimits, Expected, expectation, write_package
from rulesengine.errors import UsageError
from rulesengine.loading import load_source
from rulesengine.support.source import Source
from tests.helpers.script_runs import text_of

GAME = load_source(
    Source("spec.yaml", text_of('read word w\nif w = "bad"\n  fail "no"\nprint "{w}"\n'))
)
GIVEN = [b"a", b"b\r\n", b"bad", b"", b"d\n", b"e f\n", b"longer"]
CASES = [
    (case, expectation(GAME, case)) for case in (Case(f"c/{i}_", g) for i, g in enumerate(GIVEN))
]
KEYS = {
    "problem_format_version", "name", "uuid", "author", "source", "source_url", "license",
    "rights_owner", "limits", "validation", "validator_flags", "keywords",
}  # fmt: skip
FILE_NAME = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9_.-]{0,253}[a-zA-Z0-9]")


@pytest.fixture
def package(tmp_path: Path) -> Path:
    program = tmp_path / "right_.py"
    program.write_text("print(input())\n")
    target = tmp_path / "problem1"
    assert write_package(str(target), GAME, CASES, CaseLimits(1.5, 2**26), [program]) == 4
    return target


def test_a_package_has_the_parts_that_are_required(package: Path) -> None:
    required = ("problem_statement/problem.en.tex", "submissions/accepted", "input_validators")
    assert all((package / part).exists() for part in required)
    files = [path for path in package.rglob("*") if path.is_file()]
    assert all(FILE_NAME.fullmatch(path.name) for path in files)
    for path in files:
        data = path.read_bytes()
        data.decode("utf-8")
        assert b"\r" not in data
        assert data.endswith(b"\n") or not data


def test_the_metadata_has_known_keys_and_the_limits(package: Path) -> None:
    metadata = yaml.safe_load((package / "problem.yaml").read_text())
    assert metadata.keys() <= KEYS
    assert metadata["name"] == "Script"
    assert metadata["limits"] == {"memory": 64}
    ini = dict(
        line.split(" = ") for line in (package / "domjudge-problem.ini").read_text().splitlines()
    )
    assert ini == {"name": "'Script'", "timelimit": "1.5"}
    assert "\\problemname{Script}" in (package / "problem_statement/problem.en.tex").read_text()


def test_each_input_has_its_answer_and_what_is_refused_is_left_out(package: Path) -> None:
    data = {path.relative_to(package / "data").as_posix(): path.read_bytes()
            for path in (package / "data").rglob("*.*")}  # fmt: skip
    assert data == {
        "sample/0001-c-0.in": b"a\n", "sample/0001-c-0.ans": b"a\n",
        "sample/0002-c-4.in": b"d\n", "sample/0002-c-4.ans": b"d\n",
        "secret/0003-c-1.in": b"b\n", "secret/0003-c-1.ans": b"b\n",
        "secret/0004-c-6.in": b"longer\n", "secret/0004-c-6.ans": b"longer\n",
    }  # fmt: skip


def test_the_validator_accepts_with_exit_code_42(package: Path) -> None:
    (validator,) = (package / "input_validators").iterdir()
    codes = {b"word\n": 42, b"": 43, b"word": 43, b"two words\n": 43, b"\xff\n": 43, b"a\r\n": 43}
    for data, code in codes.items():
        done = subprocess.run([sys.executable, "-I", "-S", validator], input=data, check=False)
        assert done.returncode == code, data


def test_a_zip_has_the_same_files_at_its_top(package: Path, tmp_path: Path) -> None:
    target = tmp_path / "problem1.zip"
    for _ in range(2):
        write_package(str(target), GAME, CASES, CaseLimits(1.5, 2**26), [tmp_path / "right_.py"])
    with zipfile.ZipFile(target) as archive:
        packed = {name: archive.read(name) for name in archive.namelist()}
    files = [path for path in package.rglob("*") if path.is_file()]
    assert packed == {path.relative_to(package).as_posix(): path.read_bytes() for path in files}


def test_invalid_problem_package_is_a_usage_error(package: Path) -> None:
    refused = [(Case("c", b"bad"), Expected("", error="no"))]
    for target, cases, message in (
        (package, CASES, "is there already"),
        (package.parent / "Bad-Name", CASES, "small letters and digits"),
        (package.parent / "other", refused, "no case is left with well-formed input"),
    ):
        with pytest.raises(UsageError, match=message):
            write_package(str(target), GAME, cases, CaseLimits())
