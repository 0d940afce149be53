"""The numbers of the README are those of a finished run."""

import pytest
from unit.documents import text_of
from unit.readme import BLOCKS, FACTS, Fact, blocks, prose
from workflow.pipeline import Copy

pytestmark = pytest.mark.slow

OF_A_RUN = [fact for fact in FACTS if not fact.shipped]


@pytest.mark.parametrize("fact", OF_A_RUN, ids=lambda fact: fact.words[:40])
def test_a_fact_of_the_readme_is_that_of_the_run(completed: Copy, fact: Fact) -> None:
    said = fact.pattern.findall(prose(text_of("README.md")))
    expected = tuple(map(str, fact.values(completed.root)))
    assert {(one,) if isinstance(one, str) else one for one in said} == {expected}


@pytest.mark.parametrize("name", BLOCKS)
def test_a_quoted_block_is_what_the_run_wrote(completed: Copy, name: str) -> None:
    assert dict(blocks(text_of("README.md")))[name] == BLOCKS[name](completed.root)
