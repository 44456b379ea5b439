"""From words to the vectors that the first layer reads."""

import math

from jaxtyping import Float, Int64
from torch import Tensor, nn

from course_lib.transformer.config import Config
from course_lib.transformer.positions import Learned, Sinusoidal


class PositionedEmbedding(nn.Module):
    """x_t = Dropout(√d_model · E w_t + PE(t)) (Vaswani et al. 2017, sections 3.4, 3.5 and 5.4).

    E (vocabulary, d_model) is `words`, which may be shared. It is drawn with standard deviation 1/√d_model, so that
    √d_model · E w has components of variance 1, about as large as those of PE.
    """

    def __init__(self, config: Config, words: nn.Embedding):
        super().__init__()
        self.words, self.scale = words, math.sqrt(config.d_model)
        self.dropout = nn.Dropout(config.dropout)
        self.positions = {
            "sinusoidal": lambda: Sinusoidal(config.d_model),
            "learned": lambda: Learned(config.d_model, config.max_length),
            "none": lambda: None,
        }[config.positions]()

    def forward(self, words: Int64[Tensor, "batch time"], start: int = 0) -> Float[Tensor, "batch time d_model"]:
        """The vectors of words that stand at the positions start, start + 1, …"""
        x = self.scale * self.words(words)
        if self.positions is not None:
            x = x + self.positions(start, words.shape[1])
        return self.dropout(x)
