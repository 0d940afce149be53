"""The noise floor that a noise model implies (definitions NS, "known truth")."""


def expected_floor(noise: float, decisions: int) -> float:
    """Expected floor of a component that is right but for noise: 2d - d^2 K / (K - 1).

    With probability d a call gives one of the K - 1 other decisions, each as likely. Two calls
    agree if neither is replaced, (1 - d)^2, or both are by the same, d^2 / (K - 1).

    Args:
        noise: d, the probability that a call is replaced.
        decisions: K, the number of decisions.

    Raises:
        ValueError: d is outside [0, 1] or there are fewer than two decisions.

    Source: definitions NS, "Decision components with known truth".

    >>> round(expected_floor(0.1, 5), 4)
    0.1875
    >>> expected_floor(0.0, 13)
    0.0
    """
    if not 0 <= noise <= 1:
        raise ValueError(f"noise is {noise}; it must be in [0, 1]")
    if decisions < 2:
        raise ValueError(f"decisions is {decisions}; noise needs at least two")
    return 2 * noise - noise**2 * decisions / (decisions - 1)
