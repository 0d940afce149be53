"""Interval arithmetic on printed numbers, the expression language, and the searches."""

from fractions import Fraction
from itertools import permutations

import pytest
from verification import claims_feasibility as feasibility
from verification import claims_numbers as numbers
from verification.claims_expressions import CheckError, attainable, evaluate, parse
from verification.claims_numbers import Interval, UndefinedError, point, printed


def rounded(text: str) -> Interval:
    value = numbers.number(text)
    assert value is not None
    return printed(value, numbers.last_place(text))


def value_of(text: str, **named: Interval) -> Interval:
    expression = parse(text, own="HP-3-01", names=frozenset(named))
    found = attainable(expression, named)
    assert isinstance(found, Interval)
    return found


def test_a_printed_number_is_what_rounds_to_it() -> None:
    assert rounded("0.813") == Interval(Fraction("0.8125"), Fraction("0.8135"))
    assert rounded("0.10") == Interval(Fraction("0.095"), Fraction("0.105"))
    assert rounded("96") == Interval(Fraction("95.5"), Fraction("96.5"))


@pytest.mark.parametrize(
    ("exact", "text", "meets"),
    [
        ("25.75", "25.8", True),
        ("25.75", "25.7", True),
        ("25.7499", "25.8", False),
        ("0.8125", "0.813", True),
        ("0.8125", "0.812", True),
        ("0.643125", "0.644", False),
    ],
)
def test_a_half_may_be_rounded_either_way(exact: str, text: str, meets: bool) -> None:
    assert point(Fraction(exact)).meets(rounded(text)) is meets


@pytest.mark.parametrize(
    ("expression", "lo", "hi"),
    [
        ("a + b", 3, 7),
        ("a - b", -3, 1),
        ("a * b", 2, 12),
        ("a / b", Fraction(1, 4), Fraction(3, 2)),
        ("-a", -3, -1),
        ("(a - 2)**2", 0, 1),
        ("min(a, b)", 1, 3),
        ("max(a, b)", 2, 4),
        ("mean(a, b)", Fraction(3, 2), Fraction(7, 2)),
        ("abs(a - 2)", 0, 1),
        ("sqrt(b**2)", 2, 4),
        ("hypot(3 * a, 4 * a)", 5, 15),
        ("round_to(a * b, 5)", 0, 10),
    ],
)
def test_a_range_is_exact_where_a_number_occurs_once(
    expression: str, lo: Fraction, hi: Fraction
) -> None:
    box = {"a": Interval(Fraction(1), Fraction(3)), "b": Interval(Fraction(2), Fraction(4))}
    named = {name: each for name, each in box.items() if name in expression}
    assert value_of(expression, **named) == Interval(Fraction(lo), Fraction(hi))


def test_a_number_that_occurs_twice_is_one_number() -> None:
    x = Interval(Fraction(1), Fraction(3))
    assert value_of("x - x", x=x) == point(0)
    assert value_of("x / (1 + x)", x=x) == Interval(Fraction(1, 2), Fraction(3, 4))
    # Plain interval arithmetic would give more.
    tree = parse("x - x", own="HP-3-01", names=frozenset("x")).tree
    assert evaluate(tree, {"x": x}) == Interval(Fraction(-2), Fraction(2))


def test_corners_are_refused_where_they_do_not_bound() -> None:
    with pytest.raises(CheckError, match="not monotone"):
        value_of("x * (4 - x)", x=Interval(Fraction(1), Fraction(3)))


def test_the_ends_of_a_range_are_attained() -> None:
    a, b = rounded("0.323"), rounded("0.345")
    difference = value_of("a - b", a=a, b=b)
    assert difference == Interval(Fraction("-0.023"), Fraction("-0.021"))
    assert value_of("a - b", a=point(a.lo), b=point(b.hi)).lo == difference.lo
    assert value_of("a - b", a=point(a.hi), b=point(b.lo)).hi == difference.hi


def test_square_roots_are_enclosed() -> None:
    found = value_of("sqrt(2)")
    assert found.lo**2 < 2 < found.hi**2
    assert found.hi - found.lo < Fraction(1, 10**29)


@pytest.mark.parametrize("text", ["1 / (a - 1)", "sqrt(-a)", "a**0.5", "a**-1", "count(a, 1 / 9)"])
def test_what_has_no_result_says_so(text: str) -> None:
    with pytest.raises(UndefinedError):
        value_of(text, a=Interval(Fraction(1, 2), Fraction(2)))


def test_the_tail_of_a_beta_law_is_exact() -> None:
    assert value_of("beta_tail(4, 2, 1 / 2)") == point(Fraction(13, 16))
    assert value_of("beta_tail(2, 4, 1 / 2)") == point(Fraction(3, 16))
    assert value_of("beta_tail(1, 1, t)", t=rounded("0.3")) == Interval(
        Fraction("0.65"), Fraction("0.75")
    )


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')",
        "(1).__class__",
        "[x for x in (1,)]",
        "lambda: 1",
        "1 if 1 else 2",
        "True",
        "1 and 2",
        "open('x')",
        "mean(*[1])",
        "mean(a=1)",
        "1 // 2",
        "1 % 2",
        "~1",
        "unknown",
        "1 < 2",
        "1e999",
        "1 +",
        "{HP-1}",
        "{nothing}",
        "sqrt(1, 2)",
        "x := 1",
        "f'{1}'",
        "print",
        "1; 2",
    ],
)
def test_the_language_refuses_everything_else(text: str) -> None:
    with pytest.raises(CheckError):
        parse(text, own="HP-3-01")


def test_references_are_read() -> None:
    found = parse("mean({NS-D.1-07..09}) - {self-16} + {HP-16.2-23.lo}", own="NS-D.1-24")
    names = {(r.kind, r.name, r.part) for r in found.references.values()}
    assert names == {
        ("claim", "NS-D.1-07", ""),
        ("claim", "NS-D.1-08", ""),
        ("claim", "NS-D.1-09", ""),
        ("claim", "HP-16.2-23", "lo"),
    }


def test_a_tie_free_spearman_is_found_among_all_permutations() -> None:
    sums = {sum((i - p) ** 2 for i, p in enumerate(order)) for order in permutations(range(6))}
    for thousandths in range(-1000, 1001, 7):
        near = printed(Fraction(thousandths, 1000), Fraction(1, 1000))
        possible = [s for s in sorted(sums) if near.lo <= 1 - Fraction(6 * s, 6 * 35) <= near.hi]
        assert feasibility.spearman(near, point(6)) == [str(s) for s in possible]


def test_percentages_on_whole_samples() -> None:
    assert feasibility.percent_of(rounded("7.7"), point(40)) == []
    assert feasibility.percent_of(rounded("7.7"), point(39)) == ["3/39"]
    assert feasibility.percent_sum(rounded("8.9"), point(8), point(100)) == ["71"]
    assert feasibility.percent_sum(rounded("8.8"), point(8), point(100)) == ["70"]
    known = [point(part) for part in (25, 12, 9, 3)]
    assert feasibility.remaining(rounded("8.9"), point(8), point(100), *known) == ["22"]
    assert feasibility.remaining(rounded("8.9"), point(8), point(100), point(80)) == []


def test_means_of_thirds() -> None:
    def brute(*means: str) -> list[int]:
        return [
            n
            for n in range(1, 41)
            if all(
                any(point(Fraction(k, 3 * n)).meets(rounded(mean)) for k in range(3 * n + 1))
                for mean in means
            )
        ]

    for means in (("0.359",), ("0.208",), ("0.202", "0.030"), ("0.667", "0.389")):
        found = feasibility.scored_responses(point(40), point(3), *map(rounded, means))
        assert [int(text.split()[0]) for text in found] == brute(*means)
