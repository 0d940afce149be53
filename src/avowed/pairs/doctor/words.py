"""Numbers as a finding says them."""


def counted(number: int, thing: str) -> str:
    """A number of things, in the singular for one.

    >>> counted(1, "probe"), counted(1200, "pair")
    ('1 probe', '1,200 pairs')
    """
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def percent(share: float) -> str:
    """A share in percent, one digit.

    >>> percent(0.125)
    '12.5 %'
    """
    return f"{100 * share:.1f} %"


def part_of(part: int, whole: int, thing: str) -> str:
    """A part of a whole with its share; the whole must not be empty.

    >>> part_of(1, 8, "pair")
    '1 of 8 pairs (12.5 %)'
    """
    return f"{part:,} of {counted(whole, thing)} ({percent(part / whole)})"
