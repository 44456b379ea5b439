"""Formulas in plain text: set where one is meant, and nowhere else."""

import pytest

from course_lib.notation import as_html, as_mathtext


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("c_t = f_t ⊙ c_(t−1)", "c<sub>t</sub> = f<sub>t</sub> ⊙ c<sub>t−1</sub>"),
        ("Σ_p n_p < N", "Σ<sub>p</sub> n<sub>p</sub> &lt; N"),
        ("y_{i-2}", "y<sub>i−2</sub>"),
        ("E[q_i²], c̃_t", "E[q<sub>i</sub>²], c̃<sub>t</sub>"),
        ("0.1^(1/100), Q K^⊤, |y|^α", "0.1<sup>1/100</sup>, Q K<sup>⊤</sup>, |y|<sup>α</sup>"),
        ("1.2e-05, 10^-16, 0e+00", "1.2·10⁻⁵, 10⁻¹⁶, 0"),
        ("+0.9 [-1.0, +2.8]", "+0.9 [−1.0, +2.8]"),
        ("beam, k = 5", "beam, k\u00a0=\u00a05"),
    ],
)
def test_a_formula_is_set(text, shown):
    assert as_html(text) == shown


@pytest.mark.parametrize("name", ["d_k_2", "d_ff_64", "layers_4", "in_beam", "rnn.words-1", "softmax(dim=-1)", "GPT-2"])
def test_a_name_stays_as_it_is(name):
    assert as_html(name) == as_mathtext(name) == name


def test_indices_in_a_figure():
    assert as_mathtext("b_f = -2: (1 − z)^k") == "$b_{f}$ = −2: (1 − z)$^{k}$"
