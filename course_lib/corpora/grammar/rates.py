"""How often the sampler draws what a sentence may have or not, as data.

`sample` draws by RATES, which the checkpoints that come with the course were trained with. FULL, which the experiments
learn from, has more of what orders words otherwise in each language: what stands in front of the subject, pronouns as
recipients, separable verbs.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Rates:
    """Each rate is a probability, but `times` and `places`, which multiply one.

    - `times` and `places`: how much more often a clause says when and where; `time_first` and `place_first`: of the
      main clauses that do, how many begin with it.
    - `ditransitive`: of the plain clauses, how many have a verb with a recipient, beside those that have one anyway;
      and twice as many of those that go on with a thing ("bought the book, and Eva gave it to him").
    - `pronoun_recipient`: of the recipients, how many are pronouns ("gives it to me").
    - `passive`: of the clauses that have a passive, and are neither joined nor relative, how many are in it.
    - `separable`: of the verbs, how many are separable in German where that is possible, beside those that are anyway.
    """

    times: float = 1.0
    places: float = 1.0
    time_first: float = 0.4
    place_first: float = 0.0
    ditransitive: float = 0.0
    pronoun_recipient: float = 0.0
    separable: float = 0.0
    passive: float = 0.0


RATES = Rates()
FULL = Rates(
    times=3.0,
    places=2.0,
    time_first=0.8,
    place_first=0.8,
    ditransitive=0.2,
    pronoun_recipient=0.6,
    separable=0.06,
    passive=0.5,
)
