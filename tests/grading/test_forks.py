"""A fork of nbgrader that has started does what the program does: it prints the same and ends with the same code."""

import subprocess

from .course import BIN, clean_environment, started


def test_a_fork_is_the_program(tmp_path):
    command, env = [str(BIN / "nbgrader"), "autograde", "nothing"], clean_environment(tmp_path / "home")
    program = subprocess.run(
        command, cwd=tmp_path, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert started().run(command, tmp_path, env) == (program.returncode, program.stdout)
    assert program.stdout and program.returncode


def test_one_command_leaves_nothing_to_the_next(tmp_path):
    config = "import os, sys\nprint(os.environ['SEEN'], 'mark' in vars(sys))\nsys.mark = os.environ['KEPT'] = 'x'\n"
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "nbgrader_config.py").write_text(config + "raise SystemExit(7)\n")
        command, env = [str(BIN / "nbgrader"), "list"], clean_environment(tmp_path / "home", SEEN=name)
        assert started().run(command, tmp_path / name, env) == (7, f"{name} False\n")
