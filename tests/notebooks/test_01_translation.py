"""Lecture 01: what it takes from the seeds, what its prose says, and how it judges the reader's own error rate."""

import pytest

from course_lib.alignment import alignment_error_rate

from .lecture import sources

SEEDS = {
    "Zhao: table, examples of sequence-to-sequence tasks": (
        "tasks",
        "{'machine translation', 'speech to text', 'image captioning', 'named entities', 'music', 'logical inference'}"
        " < set(TASKS) and all(task in output for task in TASKS)",
    ),
    "Li: a generic formulation for many tasks; Zhao: x need not be words": (
        "tasks",
        "{kind for kind, *_ in TASKS.values()} >= {'words', 'sound', 'a picture'} and 'text to image' in output",
    ),
    "Straka: M outputs from N inputs, M need not be N": ("tasks", "any(row[3] != row[5] != '?' for row in rows)"),
    "Straka: y_i depends on all of x and all earlier y, unlike CRF and CTC": (
        "sheep-answer",
        "[row[1] for row in rows] == [1 / 4, 1 / 2, 1] and rows[2][2] == 0",
    ),
    "Straka: P(y_i | x, y_1 … y_{i-1}) as a picture": ("dependence", "'[widget]' in output"),
    "Zhao: three Spanish candidates, of which the best is wanted": (
        "spanish",
        "[row[0] for row in rows[:3]] == ['hola como estas', 'hola como estamos', 'dónde estas']"
        " and ' '.join(best) == rows[0][0] and x not in [source for source, _ in small_pairs]",
    ),
    "Zhao: modelling, learning, search; how do we search through the candidates?": (
        "spanish",
        "len(everything) == 5 + 5**2 + 5**3 + 5**4 and best == max(everything, key=lambda y: "
        "meaning.log_probability(y, x) + fluency.log_probability(y))",
    ),
    "Thadani: argmax p(x | y) p(y), the two models share the work": (
        "spanish",
        "rows[0][1] > max(rows[1][1], rows[2][1]) and abs(rows[0][1] - rows[3][1]) < 1e-9 and rows[0][2] > rows[3][2]",
    ),
    "Zhao: a language model is a product over words given all earlier ones": (
        "orders",
        "all(abs(value - sum(__import__('math').log(language.probability(word, ('<s>', '<s>', *words[:i])))"
        " for i, word in enumerate(words))) < 1e-9"
        " for text, value in rows for words in [[*text.split(), '</s>']])",
    ),
    "Thadani: step 3, an n-gram language model learnt from text alone": (
        "perplexity",
        "'[picture]' in output and perplexities['unseen sentences'][0] > 3 * perplexities['unseen sentences'][1]",
    ),
    "Thadani: p(y) says which order of words is fluent": (
        "orders",
        "max(rows, key=lambda row: row[1])[0] == 'the dog is sleeping .'",
    ),
    "Thadani: step 1, a corpus of sentence pairs": (
        "corpus",
        "len(examples) == N and all(set(e.sentences) == set(LANGUAGES) for e in examples[:100])",
    ),
    "Thadani: step 2, alignments are learnt without supervision": (
        "aer-numbers",
        "all(min(values) < values[0] / 2 for values in rates.values())",
    ),
    "Thadani: phrases change places (Tomorrow I will fly to the conference)": (
        "reordering",
        "'[picture]' in output and len(phrases) == len(cut)"
        " and [t for _, t in sorted(phrases)] != sorted(t for _, t in phrases)",
    ),
    "Thadani: the grid of links with its phrases": (
        "grid",
        "'[picture]' in output and set(phrases) <= extract_phrases(len(x), len(y), links, max_length=3)",
    ),
    "Thadani: good phrases, good mapping": (
        "phrases",
        "[row[2] for row in rows] == ['yes', 'no', 'yes', 'yes', 'no']",
    ),
    "Thadani: step 2, a phrase table from a large corpus": (
        "table",
        "all(0 < row[2] <= 1 for row in rows) and ('der Hund', 'the dog') in {(row[0], row[1]) for row in rows}",
    ),
    "Thadani: step 4, the decoder": (
        "decode",
        "all(' '.join(piece.partition(' → ')[2] for piece in row[0]).lower().split()[0] == row[1].lower().split()[0]"
        ".rstrip(',') for row in rows)",
    ),
    "Thadani: the decoder multiplies p(x | y) with p(y)": ("weights", "by_weight[0] < 0.75 * by_weight[1]"),
    "Liu and Malykh: a statistical system has many components, each with its own objective": (
        "parts",
        "len({row[1] for row in rows}) == len(rows) > 5 and all(row[2] > 1000 for row in rows[:2] + rows[3:5])",
    ),
    "Zhao: conditional language models; Thadani: one model of p(y_i | x, y_1 … y_{i-1})": (
        "bridge",
        "'[picture]' in output and min(mixed) < 0.9 * min(mixed[0], mixed[-1])",
    ),
}

PROSE = {
    "the translation has one word more than its source; named entities and answers have fewer": (
        "tasks",
        "{row[0]: int(row[5]) - int(row[3]) for row in rows if '?' not in (row[3], row[5])}.items() >="
        " {'machine translation': 1}.items() and [row[0] for row in rows if '?' not in (row[3], row[5])"
        " and int(row[5]) < int(row[3])] == ['visual question answering', 'named entities']",
    ),
    "without any memory each of the 2 · 2 · 1 · 2 sentences gets 1/8": (
        "sheep-answer",
        "len(candidates) == 8 and {probability(y, 0) for y in candidates} == {1 / 8}",
    ),
    "with the word before, das and die and then schlief and schliefen are mixed": (
        "sheep-answer",
        "{y for y in candidates if probability(y, 1) == 1 / 4} == "
        "{(*words, 'dort', verb) for words in (y[:2] for y in GERMAN) for verb in (y[3] for y in GERMAN)}",
    ),
    "with all words before only the two right sentences are left": (
        "sheep-answer",
        "{y for y in candidates if probability(y, 3) > 0} == set(GERMAN)",
    ),
    "after weil the finite verb ends its clause": (
        "explorer",
        "all(any(de[k] in ',.?' and 'tense' in {part.partition(':')[0] for _, part in e.words('de')[k - 1][1]}"
        " for k in range(de.index('weil'), len(de))) for e in test if 'because' in e.features"
        " for de in [e.sentences['de']])",
    ),
    "every split has words that training never showed, novel and names the most": (
        "splits",
        "all(min(row[2:4]) > 0 for row in rows)"
        " and min(min(row[2:4]) for row in rows[4:]) > max(max(row[2:4]) for row in rows[:4])",
    ),
    "the sentences of long are longer": ("splits", "rows[3][1] > max(row[1] for k, row in enumerate(rows) if k != 3)"),
    "nothing is downloaded unless the reader asks for it": (
        "multi30k",
        "not DOWNLOAD_MULTI30K and 'captions' not in globals()",
    ),
    "a mistake in a file is reported with its line": ("files", "'mine.tsv, line 2' in output"),
    "a longer memory helps on training sentences": (
        "histories",
        "perplexities['training sentences'] == sorted(perplexities['training sentences'], reverse=True)",
    ),
    "on unseen sentences the third word of memory brings next to nothing": (
        "histories",
        "all(v[0] - v[1] > 0.9 * (v[0] - min(v)) and v[3] > 0.95 * v[2] for v in [perplexities['unseen sentences']])",
    ),
    "the longer the history, the less often it is known": (
        "histories",
        "[row[3] for row in rows] == sorted((row[3] for row in rows), reverse=True) and rows[0][3] == 100",
    ),
    "in iteration 2 house leaves das, and the stays": (
        "stepper-numbers",
        "np.allclose(rows[0][1:5], 1 / 2) and np.allclose(rows[1][1:5], [1 / 3, 2 / 3, 1 / 2, 1 / 2])",
    ),
    "after iteration 1 t(house | das) = 1/4 and t(house | Haus) = 1/2": (
        "stepper-numbers",
        "np.isclose(trace['steps'][1]['translation'][trace['source_words'].index('das')][house], 1 / 4)"
        " and np.isclose(rows[0][5], 1 / 2) and np.isclose(rows[1][5], 4 / 7)",
    ),
    "the leaves Haus only in iteration 3": ("stepper-numbers", "rows[2][3] > 1 / 2 > rows[2][4]"),
    "la maison bleue alone stays where it began, and la maison leaves bleue to blue": (
        "stepper-numbers",
        "all(np.allclose(list(em([bleue], 9).values()), 1 / 3) and table['bleue', 'blue'] > 0.9"
        " and np.isclose(table['la', 'the'], table['maison', 'the'])"
        " for bleue in [('la maison bleue'.split(), 'the blue house'.split())]"
        " for table in [em([bleue, (['la', 'maison'], ['the', 'house'])], 30)])",
    ),
    "a vocabulary of 30,000 words has about 10^90 sentences of 20 words": (
        "spanish",
        "round(20 * log10(30_000), 1) == 89.5",
    ),
    "EM raises the likelihood of the training pairs with each step": (
        "aer",
        "forward.log_likelihoods == sorted(forward.log_likelihoods)",
    ),
    "the likelihood of unseen pairs soon stops rising, and falls with few training pairs": (
        "aer",
        "len(likelihoods) == 3 and "
        "all(2 <= turn <= 7 and v[turn] - v[-1] > 0.1 and abs(u[-1] - u[5]) < 0.05 * (u[5] - u[0]) and u[-1] > v[-1]"
        " for _, u, v in [likelihoods.values()] for turn in [int(np.argmax(v))])",
    ),
    "four steps bring nearly all of the gain in AER": (
        "aer-numbers",
        "all(row[1] - row[2] > 0.85 * (row[1] - row[3]) for row in rows)",
    ),
    "symmetrising is better than either direction": (
        "aer-numbers",
        "all(both < min(one, other) for one, other, both in list(zip(*rates.values()))[4:6])",
    ),
    "German has many more commas than English": (
        "spurious",
        "words_of(examples, 'de').count(',') > 1.5 * words_of(examples, 'en').count(',')",
    ),
    "relative clauses are hardest, because is no harder than other sentences": (
        "aer-tags",
        "max(by_tag, key=by_tag.get) == 'relative' and by_tag['because'] <= sorted(by_tag.values())[2]",
    ),
    "articles linked to a wrong the, and the comma linked to that, are frequent": (
        "spurious",
        "(lambda first: {('das', 'the'), (',', 'that')} <= first and {('die', 'the'), ('der', 'the')} & first)"
        "({(x, y) for x, y, *_ in rows[:4]})"
        " and (',', 'that') == max((pair for pair in spurious if pair[0] == ','), key=spurious.get)",
    ),
    "the beam keeps the ten best beginnings, and a word that the table does not have is copied": (
        "decode",
        "__import__('inspect').signature(decode).parameters['beam_size'].default == 10"
        " and decode(['Xyz'], table, language).target == ['Xyz']",
    ),
    "a translation may match any right reading, er is he or it": (
        "weights",
        "len(reference_streams(dev, 'de', 'en')) > 1 and bleu(dev) >= metric.corpus_score("
        "[to_english(translate(e).target) for e in dev], [[e.text('en') for e in dev]]).score"
        " and any('he' in a.lower().split() and 'it' in b.lower().split() for e in dev"
        " for a in e.references('de', 'en') for b in e.references('de', 'en'))",
    ),
    "too much of the language model is no better": ("weights", "by_weight[4] < 0.97 * max(by_weight.values())"),
    "built sentences: the verb moves farther than a phrase, but for the first": (
        "verb-last",
        "rows[0][2] == 0 and min(row[2] for row in rows[1:]) > 4 and len(last) > len(test) / 10",
    ),
    "built sentences: second, and last": (
        "verb-last",
        "[row[1].rstrip('.').split()[-1] for row in rows][1:3] == ['lesen', 'gelesen'] and rows[3][1].endswith('hat.')",
    ),
    "each part is worse than the one before": (
        "crossing",
        "all(v == sorted(v, reverse=True) and v[2] < 0.85 * v[0] for v in [list(scores.values())])"
        " and [e.sentences for e in more[:200]] == [e.sentences for e in test]",
    ),
    "sentences in order are shorter": ("crossing", "rows[0][2] < rows[1][2] < rows[2][2]"),
    "sentences with their verb last in German only, all their words seen, that lose or misplace it": (
        "verbs-lost",
        "len(lost) > 4 and all(verb_is_last(e, 'de') and not verb_is_last(e, 'en') for e in lost)"
        " and all(trained['de'].issuperset(e.sentences['de']) for e in lost)",
    ),
    "French changes the order near by, and is translated better": (
        "french",
        "rows[1][3] < rows[0][3] / 2 and rows[1][4] < rows[0][4] and rows[1][5] > rows[0][5] + 5",
    ),
    "target in begins with <s>, target out ends with </s>, the words between are the same": (
        "batches",
        "(vocabulary.bos_id, vocabulary.eos_id) == (2, 3) and batch.target_in[0][0] == 2"
        " and [i for i in batch.target_in[0].tolist()[1:] if i]"
        " == [i for i in batch.target_out[0].tolist() if i not in (0, 3)]",
    ),
    "one of the batch has no padding": (
        "batches",
        "batch.source_mask.all(dim=1).any() and not batch.source_mask.all()",
    ),
    "the exercise waits for an answer": ("my-aer-check", "'not written yet' in output"),
    "the solution is right": (
        "solution-aer",
        "all(np.isclose(aer_by_hand(ahead[k], sure[k], possible[k]), "
        "alignment_error_rate([ahead[k]], [sure[k]], [possible[k]])) for k in range(50))",
    ),
    "two pairs alike never decide, a third one does": (
        "solution-undecided",
        "np.isclose(em(undecided, 50)['Haus', 'house'], 1 / 2) and em(decided, 50)['Haus', 'house'] > 0.9",
    ),
    "fractions by hand": ("solution-em", "rows == [['1', '1/2', '1/2'], ['2', '3/5', '4/7']]"),
    "three links give 5 phrase pairs, two give 8": (
        "solution-consistent",
        "'there are 5:' in output and 'there are 8:' in output",
    ),
    "English to German is scored": ("solution-direction", "0 < into_german < 100"),
    "a sense of position mends the articles and not the comma": (
        "solution-position",
        "kappa > 0 and rows[1][1] < rows[0][1] and rows[1][2] < rows[0][2] / 2 and rows[1][3] > rows[0][3] / 2",
    ),
}

ALIGNMENTS = [{(i, i * k % 4) for i in range(4)} for k in range(20)]
SURE = [{(i, i) for i in range(4)}] * 20
POSSIBLE = [{(i, i) for i in range(4)} | {(0, 1), (2, 0), (3, 2)}] * 20


def check(answer):
    """The lecture's check of `my_aer` on alignments of ours."""
    cells = sources("01_translation")
    ahead = [*ALIGNMENTS[:-1], {(0, 0), (1, 1), (2, 3)}]
    names = {"ahead": ahead, "sure": SURE, "possible": POSSIBLE, "alignment_error_rate": alignment_error_rate}
    exec(cells["my-aer"].replace("return None", answer), names)
    exec(cells["my-aer-check"], names)


def test_the_exercise_accepts_a_right_answer(capsys):
    check("return 1 - (len(A & S) + len(A & P)) / (len(A) + len(S))")
    assert "Right" in capsys.readouterr().out


@pytest.mark.parametrize(
    "answer",
    [
        "return 1 - len(A & S) / len(S)",  # recall alone
        "return (len(A & S) + len(A & P)) / (len(A) + len(S))",  # the right share, not the wrong one
        "return 1 - 2 * len(A & S) / (len(A) + len(S))",  # as if only sure links were right
        "return 1 - (len(A & S) + len(A & P)) / len(A | S)",
    ],
)
def test_the_exercise_refuses_a_wrong_answer(answer):
    with pytest.raises(AssertionError, match=r"sentence \d+: yours is"):
        check(answer)
