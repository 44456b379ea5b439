"""Limits on time count the processor's, of the code itself: not how busy the machine is, nor imports of libraries."""

import sys
import time

import pytest

from course_lib.grading.boundary import timelimit
from course_lib.grading.boundary.timelimit import WAITS, Stopwatch, TimeUp, imports, time_limit


class Clocks:
    """Time that passes when a test says so."""

    def __init__(self) -> None:
        self.processor = self.wall = 0.0

    def watch(self) -> Stopwatch:
        return Stopwatch(lambda: self.processor, lambda: self.wall)


def test_on_an_idle_machine_a_busy_call_has_its_limit():
    clocks = Clocks()
    clock = clocks.watch()
    clocks.processor = clocks.wall = 4.0
    assert clock.left(5.0) == 1.0
    clocks.processor = clocks.wall = 5.0
    assert clock.left(5.0) <= 0 and clock.seconds() == 5.0


def test_on_a_busy_machine_the_processors_time_counts():
    clocks = Clocks()
    clock = clocks.watch()
    clocks.processor, clocks.wall = 2.0, 9.6
    assert clock.left(5.0) == 3.0 and clock.seconds() == pytest.approx(9.6 / WAITS)
    clocks.processor, clocks.wall = 5.0, 15.0
    assert clock.left(5.0) <= 0


def test_who_sleeps_is_stopped_later():
    clocks = Clocks()
    clock = clocks.watch()
    clocks.wall = 5.0 * WAITS - 1
    assert clock.left(5.0) == 1.0
    clocks.wall += 1
    assert clock.left(5.0) <= 0 and clock.seconds() == 5.0


def test_several_threads_count_as_one():
    clocks = Clocks()
    clock = clocks.watch()
    clocks.processor, clocks.wall = 16.0, 4.0
    assert clock.left(5.0) == 1.0 and clock.seconds() == 4.0


def test_what_is_forgiven_does_not_count_but_on_the_clock():
    clocks = Clocks()
    clock = clocks.watch()
    clock.forgive(4.0)
    clocks.processor = clocks.wall = 6.0
    assert clock.left(5.0) == 3.0
    clock.forgive(100.0)
    clocks.wall = 5.0 * WAITS
    assert clock.left(5.0) <= 0


def test_a_busy_loop_and_a_sleep_both_end():
    with pytest.raises(TimeUp), time_limit(0.05):
        while True:
            pass
    with pytest.raises(TimeUp), time_limit(0.05):
        time.sleep(10**6)


@pytest.fixture
def slow_library(tmp_path, monkeypatch):
    """A module that takes half a second of the processor to load."""
    (tmp_path / "slow_library.py").write_text(
        "import time\nend = time.process_time() + 0.5\nwhile time.process_time() < end: pass\nready = True\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    yield
    sys.modules.pop("slow_library", None)


def test_the_time_of_an_import_is_told_once(slow_library):
    told = []
    with imports(told.append):
        for name in ("slow_library", "sys", "slow_library"):
            __import__(name)
    first, second = told
    assert first == timelimit.ANY and 0.5 <= first + second < 60


def test_an_import_is_not_broken_off_and_does_not_count(slow_library, monkeypatch):
    monkeypatch.setattr(timelimit, "WAITS", 10**4)
    with time_limit(0.2):
        library = __import__("slow_library")
    assert library.ready
