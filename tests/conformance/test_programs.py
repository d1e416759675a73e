"""The programs of the four documents: our runs against transcripts and hand-written programs."""

import io
from typing import Any

import pytest

import rulesengine
from rulesengine import script
from tests.oracles.programs import PROGRAMS, Transcript, transcripts, without_blank_lines
from tests.oracles.random_input import generate

TRANSCRIPTS = {transcript.name: transcript for transcript in transcripts()}


def run_program(spec: str, data: bytes, **parameters: Any) -> tuple[bytes, int]:
    """Return the output of `rulesengine run` for an input and its exit code, in this process."""
    output = io.BytesIO()
    try:
        script.run(rulesengine.load(spec, **parameters), io.BytesIO(data), output)
    except rulesengine.InputError:
        return output.getvalue(), 1
    return output.getvalue(), 0


@pytest.mark.slow
@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS)
def test_run_output_matches_the_document(transcript: Transcript) -> None:
    output, code = run_program(transcript.spec, transcript.input, **transcript.parameters)
    if transcript.blank_lines:
        assert output == transcript.output
    assert without_blank_lines(output) == without_blank_lines(transcript.output)
    assert code == transcript.exit


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS)
def test_a_run_has_the_blank_lines_that_the_protocol_states(transcript: Transcript) -> None:
    output, _ = run_program(transcript.spec, transcript.input, **transcript.parameters)
    assert output == transcript.output


# Computed by hand from the documents: spec, input, parameters, the end of the output, exit code. A
# complete output begins with `=`.
CENTRE = b".... .*0. .0*. .... "
RIGHT = b"-------- -------- -------- ---WB--- ---BW--- -------- -------- -------- W "
STUCK = b"BW------ " + b"-------- " * 7
EMPTY_BOARD = b"=" + b"-------\n" * 5
EDGES: list[tuple[str, bytes, dict[str, int], bytes, int]] = [
    ("bio97-othello", b"", {}, b"=", 0),
    ("bio97-othello", b".... .*0.", {}, b"=", 0),
    ("bio97-othello", b".... .... .... .... 1", {}, b"=", 1),
    ("bio97-othello", b".... .*0. .0* .... 1", {}, b"=", 1),
    ("bio97-othello", b".... .*x. .0*. .... 1", {}, b"=", 1),
    ("bio97-othello", CENTRE + b"0 3 -1 5 1", {}, b"........\n\n", 0),
    ("bio97-othello", CENTRE + b"0 -1 3 1", {"strategy": 2}, b"........\n\n", 0),
    (
        "bio97-othello",
        CENTRE + b"0 abc 4 -5 6 -1",
        {},
        b"...0*...\n" + b"........\n" * 3 + b"\n",
        0,
    ),
    ("bio97-othello", CENTRE + b"9" * 30, {}, b".\n", 0),
    ("acm92-othello", b"0", {}, b"=", 0),
    ("acm92-othello", b"-1", {}, b"=", 1),
    ("acm92-othello", b"2 " + RIGHT + b"L", {}, b"=(3,5) (4,6) (5,3) (6,4)\n", 0),
    ("acm92-othello", b"1 " + RIGHT + b"L M11", {}, b"=(3,5) (4,6) (5,3) (6,4)\n", 1),
    ("acm92-othello", b"1 " + RIGHT + b"M35 L2", {}, b"=Black -  1 White -  4\n", 1),
    ("acm92-othello", b"1 " + STUCK + b"W L", {}, b"=No legal move.\n", 0),
    ("acm92-othello", b"1 " + STUCK + b"W M13 M14", {}, b"=Black -  3 White -  0\n", 1),
    ("acm92-othello", b"1 " + STUCK + b"B M13 L", {}, b"\nNo legal move.\n", 0),
    ("acm92-othello", b"1 " + RIGHT + b"Q 1 2 3", {}, b"--------\n", 0),
    ("aps105-reversi", b"", {}, b"=Enter the board dimension: ", 0),
    ("aps105-reversi", b"5 W", {}, b"=Enter the board dimension: ", 1),
    ("aps105-reversi", b"28 W", {}, b"=Enter the board dimension: ", 1),
    ("aps105-reversi", b"4 b", {}, b"Computer plays (B/W) : ", 1),
    ("aps105-reversi", b"4 W", {}, b"d UUUU\nEnter move for colour B (RowCol): ", 0),
    ("aps105-reversi", b"4 W ac", {}, b": Invalid move.\nW player wins.\n", 0),
    ("aps105-reversi", b"4 W BA", {}, b": Invalid move.\nW player wins.\n", 0),
    ("aps105-reversi", b"4 W ba1", {}, b": Invalid move.\nW player wins.\n", 0),
    ("bio04-four-in-a-line", b"0", {}, b"=", 1),
    ("bio04-four-in-a-line", b"11 1 1 1", {}, b"=", 1),
    ("bio04-four-in-a-line", b"2 1", {}, b"=", 0),
    ("bio04-four-in-a-line", b"2 1 8", {}, b"=", 1),
    ("bio04-four-in-a-line", b"7 1 1 1 1 1 1 1", {}, b"=", 1),
    ("bio04-four-in-a-line", b"7 1 2 1 2 1 2 1", {}, b"=", 1),
    ("bio04-four-in-a-line", b"1 4", {}, EMPTY_BOARD + b"---*---\n\n", 0),
    ("bio04-four-in-a-line", b"1 4 N nn next 1", {}, EMPTY_BOARD + b"---*---\n\n", 0),
    ("bio04-four-in-a-line", b"6 1 2 1 2 1 2 n n", {}, b"*o-----\n\nPlayer 1 wins\n", 0),
    # Columns 1 and 5 both win; that 5 also blocks the opponent is no reason to prefer it.
    (
        *("bio04-four-in-a-line", b"10 2 7 2 2 4 4 3 2 3 3 n", {}),
        *(b"-o-----\n-oo----\n-**o---\n****--o\n\nPlayer 1 wins\n", 0),
    ),
]


@pytest.mark.parametrize(("spec", "data", "parameters", "end", "code"), EDGES, ids=str)
def test_an_edge_of_the_protocol_is_met_by_the_run_and_by_the_oracle(
    spec: str, data: bytes, parameters: dict[str, int], end: bytes, code: int
) -> None:
    if spec == "bio97-othello":
        parameters = {"strategy": 1} | parameters
    for found in (PROGRAMS[spec](data, **parameters), run_program(spec, data, **parameters)):
        assert found[1] == code
        if end.startswith(b"="):
            assert found[0] == end[1:]
        else:
            assert found[0].endswith(end)


def agree(spec: str, seed: int) -> None:
    parameters, data = generate(spec, seed)
    expected = PROGRAMS[spec](data, **parameters)
    assert run_program(spec, data, **parameters) == expected, f"seed {seed}: {data!r}"


@pytest.mark.slow
@pytest.mark.parametrize("spec", PROGRAMS)
def test_runs_on_random_input_match_the_hand_written_program(spec: str) -> None:
    for seed in range(4):
        agree(spec, seed)


@pytest.mark.slow
@pytest.mark.parametrize("spec", PROGRAMS)
def test_more_runs_on_random_input_print_what_the_hand_written_program_prints(spec: str) -> None:
    for seed in range(100, 106):
        agree(spec, seed)


@pytest.mark.deep
@pytest.mark.parametrize("spec", PROGRAMS)
def test_many_runs_on_random_input_print_what_the_hand_written_program_prints(spec: str) -> None:
    for seed in range(106, 220):
        agree(spec, seed)


class Typist:
    """Input that arrives byte by byte, typed by a person who sees only the flushed output."""

    def __init__(self, data: bytes, oracle_output: dict[int, bytes], screen: "Screen") -> None:
        self._data = data
        self._expected = oracle_output
        self._screen = screen
        self._at = 0

    def read(self, size: int, /) -> bytes:
        if self._at in self._expected:
            assert self._screen.shown == self._expected[self._at], self._data[: self._at]
        self._at += 1
        return self._data[self._at - 1 : self._at]


class Screen(io.BytesIO):
    """Output of which a reader sees only the flushed part."""

    shown = b""

    def flush(self) -> None:
        self.shown = self.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS)
def test_a_word_is_answered_when_its_separator_arrives(transcript: Transcript) -> None:
    data = transcript.input.replace(b"\n", b" ")
    ends = [i + 1 for i in range(len(data)) if data[i : i + 1] == b" "]
    program = PROGRAMS[transcript.spec]
    expected = {end: program(data[:end], **transcript.parameters)[0] for end in ends}
    screen = Screen()
    game = rulesengine.load(transcript.spec, **transcript.parameters)
    script.run(game, Typist(data, expected, screen), screen)
    assert screen.shown == transcript.output
