"""What lateness costs takes the settings that an exporter gives to all preprocessors, and warns of none."""

import logging

from nbconvert.exporters import HTMLExporter

from course_lib.grading.nbgrader_hooks.late import LatePenalty


def test_no_setting_of_an_exporter_is_unknown(caplog):
    with caplog.at_level(logging.WARNING):
        LatePenalty(config=HTMLExporter().default_config, log=logging.getLogger("late"))
    assert not caplog.records, caplog.text
