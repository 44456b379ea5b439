"""The Transformer (lectures 07 and 08): positions, sublayers, encoder, decoder, and the model of them.

model = Transformer(Config(vocabulary_size=2000, d_model=128, d_ff=256, heads=4, layers=3))
"""

from course_lib.transformer.config import Config
from course_lib.transformer.decoder import Decoder, DecoderLayer
from course_lib.transformer.encoder import Encoder, EncoderLayer
from course_lib.transformer.model import Transformer
from course_lib.transformer.positions import Learned, Sinusoidal, sinusoidal
from course_lib.transformer.sublayers import FeedForward, LayerNorm, Residual

__all__ = [
    "Config",
    "Decoder",
    "DecoderLayer",
    "Encoder",
    "EncoderLayer",
    "FeedForward",
    "LayerNorm",
    "Learned",
    "Residual",
    "Sinusoidal",
    "Transformer",
    "sinusoidal",
]
