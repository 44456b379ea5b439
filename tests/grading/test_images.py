"""The containers, as far as that shows without Docker: what they copy and install, and how the hub starts them."""

import re
import tomllib
from types import SimpleNamespace

import pytest
from dockerspawner import SystemUserSpawner
from jupyterhub.app import JupyterHub
from jupyterhub.auth import PAMAuthenticator
from packaging.requirements import Requirement
from packaging.version import Version
from traitlets.config import Config, Configurable, PyFileConfigLoader

from course_lib.maintain.student_zip import course_files

from .course import BIN, ROOT, clean_environment, run
from .hub import CONFIGURATION

MADE = {"dist/course-student.zip"}  # by `make student`, on which `make images` rests
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
IMAGES = ("student", "grader")


def instructions(image: str) -> list[list[str]]:
    """The instructions of an image's Dockerfile, each in words."""
    text = (CONFIGURATION / f"{image}.Dockerfile").read_text(encoding="utf-8")
    lines = re.sub(r"(?m)^#.*\n", "", text).replace("\\\n", " ").splitlines()
    return [line.split() for line in lines if line.strip()]


def test_the_linters_have_nothing_to_say(tmp_path):
    files = [CONFIGURATION / f"{image}.Dockerfile" for image in IMAGES]
    run(BIN / "hadolint", "--no-color", *files, cwd=ROOT, env=clean_environment(tmp_path))
    run(BIN / "shellcheck", CONFIGURATION / "start.sh", cwd=ROOT, env=clean_environment(tmp_path))


@pytest.mark.parametrize("image", IMAGES)
def test_what_an_image_copies_is_there(image):
    there = course_files(ROOT)
    copied = [word for verb, *words in instructions(image) if verb == "COPY" for word in words[:-1] if word[0] != "-"]
    assert len(copied) > 2
    for name in copied:
        assert name in MADE or any(f"{each}/".startswith(f"{name}/") for each in there), name


@pytest.mark.parametrize("image", IMAGES)
def test_an_image_has_the_python_of_the_tests_and_the_ranges_of_the_project(image):
    (base,) = [words[0] for verb, *words in instructions(image) if verb == "FROM"]
    python = re.fullmatch(r"python:(\d+\.\d+)-slim-bookworm", base)[1]
    assert Requirement(f"python{PROJECT['requires-python']}").specifier.contains(Version(python))
    assert f'python: "{python}"\n            tests: ""' in (ROOT / ".github/workflows/ci.yml").read_text()
    (installed,) = [words for verb, *words in instructions(image) if verb == "RUN" and words[0] == "pip"]
    own = Requirement(f"course{installed[installed.index('--editable') + 1].strip(chr(39)).lstrip('.')}").extras
    assert own <= PROJECT["optional-dependencies"].keys()
    (hub,) = [word.strip('"') for word in installed if "jupyterhub" in word]
    assert hub in PROJECT["optional-dependencies"]["test"]


@pytest.fixture
def config() -> Config:
    return PyFileConfigLoader("docker_config.py", str(CONFIGURATION)).load_config()


def test_the_hub_and_its_spawner_know_every_setting(config):
    classes = (*SystemUserSpawner.mro(), *PAMAuthenticator.mro(), JupyterHub)
    known = {cls.__name__: cls.class_trait_names(config=True) for cls in classes if issubclass(cls, Configurable)}
    for section, settings in config.items():
        assert settings.keys() <= set(known[section]), section


@pytest.mark.parametrize("name, image", [("instructor", "course-grader"), ("ada", "course-student")])
def test_who_grades_may_make_sandboxes_and_students_have_no_formgrader(config, name, image):
    spawner = SystemUserSpawner(config=config, user=SimpleNamespace(name=name))
    for _ in range(2):  # a server may start again
        spawner.pre_spawn_hook(spawner)
    grades = name == "instructor"
    assert spawner.image == image and spawner.extra_host_config == ({"privileged": True} if grades else {})
    assert [each for each in spawner.args if "formgrader" in each] == spawner.args and len(spawner.args) == (not grades)
    assert ("cd ~/course" in " ".join(spawner.cmd)) == grades and "jupyterhub-singleuser" in " ".join(spawner.cmd)
