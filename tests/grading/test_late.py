"""What lateness costs takes the settings that an exporter gives to all preprocessors, and warns of none."""

import logging

import pytest
from nbconvert.exporters import HTMLExporter
from traitlets import TraitError
from traitlets.config import Config

from course_lib.grading.nbgrader_hooks.late import LatePenalty


def test_no_setting_of_an_exporter_is_unknown(caplog):
    with caplog.at_level(logging.WARNING):
        LatePenalty(config=HTMLExporter().default_config, log=logging.getLogger("late"))
    assert not caplog.records, caplog.text


@pytest.mark.parametrize("days", ["3", None, -1, float("inf"), float("nan"), [3]])
def test_an_extension_that_is_no_number_of_days_is_refused_with_the_student(days):
    set_to = Config({"LatePenalty": {"extensions": {"ps1": {"eve": 0, "grace": 1.5, "ada": days}}}})
    with pytest.raises(TraitError, match=r"^c\.LatePenalty\.extensions must be numbers of days.* for ada in ps1$"):
        LatePenalty(config=set_to)


def test_extensions_are_of_students():
    with pytest.raises(TraitError, match=r"must be \{student: days\} for ps1, got 3"):
        LatePenalty(extensions={"ps1": 3})
    assert LatePenalty(extensions={"ps1": {"ada": 3}, "ps2": {}}).extensions["ps1"] == {"ada": 3}
