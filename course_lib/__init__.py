"""The library of the course. A sentence passes through it from top to bottom:

corpora/        sentences in several languages; sentences → ids → batches
subwords/       sentence ↔ pieces ↔ ids
alignment.py, phrases.py, ngrams.py    translation by counting (lecture 01), a file each
recurrent/      RNN, LSTM, GRU
attention/      scores, weights, context; several heads
seq2seq/        what every translation model answers to (`protocol`), and the recurrent models
transformer/    the Transformer, a model like them
systems/        published systems, built from the rooms above (lecture 10)
search/         from a model's probabilities to a sentence
training/       how a model learns, and on which device
translator.py   text in, text out: tokenizer, model and search together; translation.py: what it gives, with attention;
                intervention.py: attention set to chosen weights
metrics/        how good its sentences are (lecture 09)
checkpoints/    trained translators, and the commands that make them
plots/, diagrams/, widgets/    what a lecture shows
grading/        the engine that checks and grades; problem_sets/: what it grades
reader/         the course as its reader finds it: lectures and problem sets in their order
maintain/       what maintainers run

Six small files are in no room, because every room or every lecture uses them: `files.py` (written completely or not at
all), `tables.py` (as a lecture shows them), `folded.py` (a result that a reader has to open), `notation.py` (formulas
in plain text), `settings.py` (how large a lecture's experiments are) and `extras.py` (what to install for a part that
most do not need). README.md follows a text, a click and a student's function on their ways through all of it.
"""

__version__ = "0.1.0"
