"""`play` and records of games in which players move together."""

from pathlib import Path

from tests.helpers.cli_calls import call

HANDS = ("play", "rock-paper-scissors", "--engine", "interpreter")


def test_a_person_sees_the_move_of_a_machine_after_the_own_choice() -> None:
    seen = set()
    for seed in "1234567":
        shown = call(*HANDS, "--player", "left=random", "--seed", seed, stdin=b"rock\n").out
        before, _, after = shown.partition("right: ")
        assert not {"rock", "paper", "scissors"} & {*before.partition("\n\n")[2].split()}
        (told,) = (line for line in after.splitlines() if line.startswith("left: "))
        seen.add(told)
    assert seen == {"left: rock", "left: paper", "left: scissors"}


def test_the_screen_is_cleared_between_two_people() -> None:
    shown = call(*HANDS, stdin=b"rock\n\npaper\n\n").out
    _first, _, second = shown.partition("press Enter at the keyboard: ")
    assert second.startswith("\n" * 60)
    assert "right: left is to move" in second
    assert "R p\nright wins: the hand beats the other" in second


def test_a_record_tells_each_player_what_was_noticed(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    lines = f"rock\nsave {file}\nquit\n"
    call(*HANDS, "--player", "right=random", "--seed", "3", stdin=lines.encode())
    assert call("replay", str(file)).code == 0
    for player, other in (("left", "right"), ("right", "left")):
        known = call("replay", str(file), "--as", player).out
        assert f"told {other}: " in known
        assert f"told {player}: " not in known
