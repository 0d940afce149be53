"""The two small use cases that scenarios play in: a profile and prompts with segments."""

from typing import Any

from avowed.factors.usecase import Feature, UseCase


def profile_case(samples: int = 40, **changes: Any) -> UseCase:
    """Eight fields, every one of which has a contrast; four decisions."""
    kinds = ("categorical", "ordinal", "binary", "scale", "ordinal", "text", "scale", "binary")
    features = tuple(
        Feature(f"field_{letter}", f"Field {letter}", kind, _values(kind))
        for letter, kind in zip("abcdefgh", kinds, strict=True)
    )
    values: dict[str, Any] = {
        "name": "scenario-profile",
        "kind": "profile",
        "features": features,
        "decisions": ("north", "east", "south", "west"),
        "samples": samples,
        "cited": 3,
        "active": (8, 8),
        "bases": (),
        "pool": (),
        "system_prompt": "{{keys}}",
        "user_template": "{{profile}}",
        "primary": "contrast",
    }
    return UseCase(**{**values, **changes})


def _values(kind: str) -> tuple[str, ...]:
    if kind == "binary":
        return ("no", "yes")
    if kind == "scale":
        return tuple(str(value) for value in range(1, 11))
    return ("first one", "second one", "third", "fourth")


def segments_case(
    samples: int = 40, *, active: tuple[int, int] = (3, 4), **changes: Any
) -> UseCase:
    """Seven categories of two expressions, three or four of them in a prompt; scores 1 to 5."""
    keys = tuple(f"risk_{letter}" for letter in "abcdefg")
    features = tuple(
        Feature(
            key,
            key,
            "segment",
            (f"{key} said so", f"{key} said otherwise"),
            tuple(other for other in keys if other != key),
        )
        for key in keys
    )
    values: dict[str, Any] = {
        "name": "scenario-segments",
        "kind": "segments",
        "features": features,
        "decisions": ("1", "2", "3", "4", "5"),
        "samples": samples,
        "cited": 3,
        "active": active,
        "bases": ("Please help me plan a picnic.", "Please help me water plants."),
        "pool": (),
        "system_prompt": "{{keys}}",
        "user_template": "{{prompt}}",
        "primary": "blank",
    }
    return UseCase(**{**values, **changes})
