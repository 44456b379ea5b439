"""The library of the course. A sentence passes through it from top to bottom:

corpora     sentences in several languages; sentences → ids → batches
subwords    sentence ↔ pieces ↔ ids
alignment, phrases, ngrams    translation by counting (lecture 01), a file each
recurrent   RNN, LSTM, GRU
attention   scores, weights, context
seq2seq     what every translation model answers to (`protocol`), and the models
search      from a model's probabilities to a sentence
training    how a model learns, and on which device
plots, diagrams, widgets    what a lecture shows
grading     problem sets
maintain    what maintainers run

Three small files are in no room, because every room or every lecture uses them: `files` (written completely or not at
all), `tables` (as a lecture shows them) and `settings` (how large a lecture's experiments are).
"""

__version__ = "0.1.0"
