"""What a verdict rests on, beyond the printed number: read from what was used to compute ours.

A difference from a simulation is no error of a paper as long as the simulation's laws are not
published. So every row of the ledger says what its verdict rests on, and readers can choose by it.
"""

from enum import StrEnum

from verification.claims_scope import Scope


class Basis(StrEnum):
    """What our side of a comparison is made from."""

    PRINTED = "printed numbers only"
    DATA = "public data"
    DESIGN = "inferred design"
    TRUTH = "choice of truth"
    CONFIGURATION = "configuration or code"
    NOTHING = "nothing computed"


#: Tables that are made from the public data alone, by how their file names begin.
_OF_DATA = ("tables/public_data", "tables/sample_size")


def basis_of(scope: Scope) -> Basis:
    """What the values that a scope has used rest on.

    A table of simulations rests on laws that the papers do not print, wherever it was made with
    them; a table that is not known to come from the public data is taken for such a one.
    """
    if scope.basis == "claims":
        return Basis.PRINTED
    if scope.basis in {"settings", "facts"}:
        return Basis.CONFIGURATION
    files = {selector.file for selector in scope.computation.take.values()}
    return Basis.DATA if all(file.startswith(_OF_DATA) for file in files) else Basis.DESIGN
