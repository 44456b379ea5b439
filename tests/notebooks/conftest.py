"""Every lecture is executed once for all its tests."""

from collections.abc import Callable

import pytest

from .lecture import Executed, execute


@pytest.fixture(scope="session")
def executed(tmp_path_factory) -> Callable[[str], Executed]:
    """`executed("02_subwords")` is the lecture after its run, which the first test that asks makes."""
    made: dict[str, Executed] = {}

    def run(name: str) -> Executed:
        if name not in made:
            made[name] = execute(name, tmp_path_factory.mktemp(name))
        return made[name]

    return run
