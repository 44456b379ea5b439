"""The recipes of Transformers with experts, and the rows of their experiment: what more parameters bring a word.

All rows are the Transformer `deep.pre_2` (deep.py) but for its feed-forward networks: steps, rate, text and seeds are
the same. In `experts` each network is a mixture of 8 experts, of which a word asks 2. An expert is half as wide as the
network that it replaces, so a word costs as many operations as there, but for the gate's. `wide` has one network as
wide as all 8 experts together. `unbalanced` is the mixture without the balance loss.
"""

from dataclasses import asdict, dataclass, replace

from course_lib.checkpoints.deep import DEEP, DeepRecipe
from course_lib.corpora.batches import Batches
from course_lib.systems.balance import BalancedTrainer
from course_lib.systems.mixture import with_experts
from course_lib.transformer import Transformer
from course_lib.translator import Translator


@dataclass(frozen=True)
class MixtureRecipe(DeepRecipe):
    """A Transformer with a mixture of so many `experts` in place of each feed-forward network.

    A word asks `asked` of them. These are together `d_ff` wide, so an expert is `d_ff` / `asked` wide. `balance` is the
    weight of the balance loss (Shazeer et al. 2017: 0.01 for translation).
    """

    experts: int = 8
    asked: int = 2
    balance: float = 0.01

    def model(self, vocabulary_size: int) -> Transformer:
        """Fresh weights."""
        return with_experts(super().model(vocabulary_size), self.experts, self.asked, self.d_ff // self.asked)

    def trainer(self, made: Translator, batches: Batches, **options) -> BalancedTrainer:
        """The trainer that adds the balance loss."""
        return BalancedTrainer(made.model, batches, self.balance, **options, **self.training())


dense = DEEP["deep.pre_2"]
mixture = MixtureRecipe(**asdict(dense))
MIXTURES = {
    "mixture.experts": mixture,
    "mixture.unbalanced": replace(mixture, balance=0.0),
    "mixture.wide": replace(dense, d_ff=mixture.experts * dense.d_ff // mixture.asked),
}
