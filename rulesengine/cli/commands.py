"""The commands, in the groups and the order in which `--help` shows them."""

from types import MappingProxyType

# Of each command its group, the module that carries it out, and its function there.
COMMANDS: MappingProxyType[str, tuple[str, str, str]] = MappingProxyType(
    {
        "list": ("play", "showing", "list_games"),
        "play": ("play", "playing", "play"),
        "serve": ("play", "serving", "serve_page"),
        "export": ("play", "exporting", "export"),
        "replay": ("play", "playing", "replay_file"),
        "run": ("play", "running", "run"),
        "draw": ("understand a game", "picturing", "draw"),
        "rules": ("understand a game", "telling", "rules"),
        "why": ("understand a game", "telling", "why"),
        "trace": ("understand a game", "telling", "trace"),
        "show": ("understand a game", "showing", "show"),
        "new": ("write a spec", "creating", "new"),
        "explain": ("write a spec", "explaining", "explain_word"),
        "fmt": ("write a spec", "formatting", "fmt"),
        "watch": ("write a spec", "watching", "watch"),
        "schema": ("write a spec", "showing", "print_schema"),
        "lsp": ("write a spec", "serving", "lsp"),
        "check": ("check a spec", "checking", "check"),
        "test": ("check a spec", "testing", "test"),
        "coverage": ("check a spec", "quality", "show_coverage"),
        "mutate": ("check a spec", "quality", "show_mutation"),
        "perft": ("count and measure", "counting", "perft"),
        "count": ("count and measure", "census", "count"),
        "playout": ("count and measure", "counting", "playout"),
        "bench": ("count and measure", "benching", "bench"),
        "search": ("look ahead", "searching", "search"),
        "solve": ("look ahead", "searching", "solve"),
        "learn": ("look ahead", "learning", "learn"),
        "annotate": ("look ahead", "studying", "annotate"),
        "puzzles": ("look ahead", "studying", "make_puzzles"),
        "match": ("contests", "contesting", "match"),
        "tournament": ("contests", "contesting", "tournament"),
        "selfplay": ("contests", "selfplaying", "selfplay"),
        "study": ("contests", "comparing", "study"),
        "diff": ("contests", "comparing", "diff"),
        "judge": ("contests", "judging", "judge"),
        "doctor": ("this machine", "doctoring", "doctor"),
        "cache": ("this machine", "caching", "cache"),
        "completion": ("this machine", "completing", "completion"),
    }
)
