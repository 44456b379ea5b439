"""Ways to have a library do the work, through the real autograde; and how far forbidden names of torch reach."""

import pytest

from course_lib.grading.boundary.forbid import Delegated
from course_lib.grading.boundary.student_side import Objects

from .attacks import delegation
from .attacks.run import AFTER, BEFORE, grade, prepare
from .delegation_table import caught

pytestmark = pytest.mark.xdist_group("isolation-delegation")


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    course = prepare(tmp_path_factory.mktemp("delegation") / "course", delegation.LIMITS)
    return grade(course, delegation.ATTACKS)


@pytest.mark.parametrize("attack", delegation.ATTACKS, ids=lambda attack: attack.name)
def test_a_library_does_not_do_the_work(ran, attack):
    assert ran.gained(attack) == 0
    assert ran.ran(attack), ran.outcomes[attack.author].text[-2000:]


def test_all_are_caught_and_honest_work_is_not(ran):
    assert caught(ran) == len(delegation.ATTACKS)
    assert [ran.outcomes[student].points for student in (BEFORE, AFTER)] == [ran.full, ran.full]
    assert ran.code == 0


TORCH = ("torch.nn.LSTM.forward", "torch._VF.lstm")
WAYS = {  # how a student calls nn.LSTM, and whether names that are forbidden in one process catch it
    "directly": ("torch.nn.LSTM(2, 2)(x)", True),
    "by getattr": ("getattr(torch.nn, 'LS' + 'TM')(2, 2)(x)", True),
    "by a subclass": ("type('Mine', (torch.nn.LSTM,), {})(2, 2)(x)", True),
    "by the compiled function": ("torch._VF.lstm(x, (h, h), w, True, 1, 0.0, False, False, False)", True),
    "by a saved original": ("saved(x, (h, h), w, True, 1, 0.0, False, False, False)", False),
}


@pytest.mark.parametrize("way", WAYS)
def test_how_far_forbidden_names_reach(way):
    import torch

    call, catches = WAYS[way]
    h, w = torch.zeros(1, 1, 2), [torch.zeros(8, 2), torch.zeros(8, 2), torch.zeros(8), torch.zeros(8)]
    names = {"torch": torch, "x": torch.zeros(3, 1, 2), "h": h, "w": w, "saved": torch._VF.lstm}
    objects = Objects({})
    target = objects.hold(lambda: eval(call, names) and None)
    objects.answer({"do": "forbid", "fields": {"names": {"tuple": list(TORCH)}}})
    answer = objects.answer(
        {"do": "call", "fields": {"target": {"handle": target}, "arguments": {"tuple": []}, "keywords": {"dict": []}}}
    )
    assert (answer.get("error", [""])[0] == Delegated.__name__) == catches
