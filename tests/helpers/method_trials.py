"""Write `games/trials.txt`: the trials of search methods that the package has.

    python -m tests.helpers.method_trials [NAME …]

Without names, all bundled games of two players are tried, which takes an hour of one core. With
names, the other rows stay. A trial is that of `doctor --trial`, without its cache.
"""

import sys

import rulesengine
from rulesengine.job import Job
from rulesengine.search.method_choice import row_of
from rulesengine.search.method_trial import run_trial
from rulesengine.support.resources import bundled_names, data_file

PAIR = 2


def main(names: list[str]) -> None:
    path = data_file("games/trials.txt")
    rows = {line.split(" | ")[0]: line for line in path.read_text().splitlines(keepends=True)}
    head = [line for line in rows.values() if line.startswith("#")]
    for name in names or bundled_names():
        game = rulesengine.load(name, engine="native")
        if len(game.players) == PAIR:
            is_learned = game.evaluation_choice.name == "learned"
            weights = game.learned_in(game.bundled_learning) if is_learned else None
            trial = run_trial(game, game._dispatcher, Job(), weights)
            rows[name] = row_of(name, game.program, trial)
            sys.stderr.write(rows[name])
        games = [row for name, row in sorted(rows.items()) if not name.startswith("#")]
        path.write_text("".join(head + games))


if __name__ == "__main__":
    main(sys.argv[1:])
