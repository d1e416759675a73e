"""Ids of Gymnasium: one for each bundled game, and one for any spec."""

from gymnasium.envs.registration import register, registry

from rulesengine.support.resources import bundled_names

NAMESPACE, VERSION = "rulesengine", 0
SPEC = f"{NAMESPACE}/Spec-v{VERSION}"  # takes a keyword `spec`
_CREATOR = "rulesengine.adapters.gymnasium:make_registered"


def env_id(name: str) -> str:
    """Return the id of a bundled game: its name in camel case, with the version."""
    words = (word[:1].upper() + word[1:] for word in name.split("-"))
    return f"{NAMESPACE}/{''.join(words)}-v{VERSION}"


def register_games() -> None:
    """Register the ids that are not registered yet."""
    ids = {env_id(name): {"spec": name} for name in bundled_names()}
    for one, keywords in {**ids, SPEC: {}}.items():
        if one not in registry:
            register(one, entry_point=_CREATOR, kwargs=keywords)
