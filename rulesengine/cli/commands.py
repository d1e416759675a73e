"""The commands in the groups and the order of `--help`; each has a module of its name."""

from types import MappingProxyType

# The group of each command and its summary. A module `rulesengine.cli.NAME` has `add_options`,
# which adds its options to a parser, and `execute`, which runs it and returns its exit code.
COMMANDS: MappingProxyType[str, tuple[str, str]] = MappingProxyType(
    {
        "list": ("play", "list the bundled specs"),
        "play": ("play", "play a game in the terminal"),
        "serve": ("play", "serve a web page to play, edit and analyse games"),
        "export": ("play", "export a game as one HTML file that needs no server"),
        "replay": ("play", "validate a saved game and print its last position"),
        "run": ("play", "run the spec's I/O script on standard input and output"),
        "draw": ("understand a game", "draw a position as SVG or PNG"),
        "rules": ("understand a game", "print the rules in plain English"),
        "why": ("understand a game", "explain why a move is illegal, or what a legal one captures"),
        "trace": ("understand a game", "trace the effects of a move one by one"),
        "show": ("understand a game", "print the spec after a stage of the pipeline"),
        "new": ("write a spec", "create a spec that has a passing test"),
        "explain": ("write a spec", "explain a word of the language or a diagnostic code"),
        "fmt": ("write a spec", "format specs in the standard layout"),
        "watch": ("write a spec", "check and test a spec whenever it is saved"),
        "schema": ("write a spec", "print the JSON Schema of specs, for editors"),
        "lsp": ("write a spec", "run the language server on standard input and output"),
        "check": ("check a spec", "report the errors and warnings of specs"),
        "test": ("check a spec", "run the tests inside specs"),
        "coverage": ("check a spec", "report the clauses of the rules that never held"),
        "mutate": ("check a spec", "report mutations of the rules that no test detects"),
        "perft": ("count and measure", "count the sequences of exactly DEPTH moves"),
        "count": ("count and measure", "count the reachable positions ply by ply"),
        "playout": ("count and measure", "play COUNT random games"),
        "bench": ("count and measure", "benchmark the engines on a game"),
        "search": ("search and learn", "search for the best move of a position"),
        "solve": ("search and learn", "solve a position: exact value and best play"),
        "learn": ("search and learn", "learn an evaluation of positions from self-play"),
        "annotate": ("search and learn", "annotate the moves of a saved game with their values"),
        "puzzles": ("search and learn", "find positions with one winning move in random games"),
        "match": ("contests", "play a match between players and estimate the Elo difference"),
        "tournament": ("contests", "run a tournament, or resume one from its file"),
        "selfplay": ("contests", "write random games as training data, or resume"),
        "study": ("contests", "measure a game and its variants by games between players"),
        "diff": ("contests", "compare two specs: rules in English, then numbers"),
        "judge": ("contests", "judge programs on test cases or in games"),
        "doctor": ("this machine", "report the engines of this machine and of a game"),
        "cache": ("this machine", "report the size of the cache, or clear it"),
        "completion": ("this machine", "print a script for completion in a shell"),
    }
)
