"""Lecture 01: what a figure, table or example of a seed shows, behind the cell that shows it here."""

import math

from .rows import behind


@behind("tasks")
def zhao_table_examples_of_sequence_to_sequence_tasks(TASKS, output):
    """Zhao: table, examples of sequence-to-sequence tasks"""
    assert {
        "machine translation",
        "speech to text",
        "image captioning",
        "named entities",
        "music",
        "logical inference",
    } < set(TASKS)
    for task in TASKS:
        assert task in output


@behind("tasks")
def li_a_generic_formulation_for_many_tasks_zhao_x_need(TASKS, output):
    """Li: a generic formulation for many tasks; Zhao: x need not be words"""
    assert {kind for kind, *_ in TASKS.values()} >= {"words", "sound", "a picture"}
    assert "text to image" in output


@behind("tasks")
def straka_m_outputs_from_n_inputs_m_need_not_be_n(rows):
    """Straka: M outputs from N inputs, M need not be N"""
    assert any(row[3] != row[5] != "?" for row in rows)


@behind("sheep-answer")
def straka_y_i_depends_on_all_of_x_and_all_earlier_y_unlike(rows):
    """Straka: y_i depends on all of x and all earlier y, unlike CRF and CTC"""
    assert [row[1] for row in rows] == [1 / 4, 1 / 2, 1]
    assert rows[2][2] == 0


@behind("dependence")
def straka_p_y_i_x_y_1_y_i_1_as_a_picture(output):
    """Straka: P(y_i | x, y_1 … y_{i-1}) as a picture"""
    assert "[widget]" in output


@behind("spanish")
def zhao_three_spanish_candidates_of_which_the_best(rows, best, x, small_pairs):
    """Zhao: three Spanish candidates, of which the best is wanted"""
    assert [row[0] for row in rows[:3]] == ["hola como estas", "hola como estamos", "dónde estas"]
    assert " ".join(best) == rows[0][0]
    assert x not in [source for source, _ in small_pairs]


@behind("spanish")
def zhao_modelling_learning_search_how_do_we_search_through(everything, best, meaning, x, fluency):
    """Zhao: modelling, learning, search; how do we search through the candidates?"""
    assert len(everything) == 5 + 5**2 + 5**3 + 5**4
    assert best == max(everything, key=lambda y: meaning.log_probability(y, x) + fluency.log_probability(y))


@behind("spanish")
def thadani_argmax_p_x_y_p_y_the_two_models_share_the_work(rows):
    """Thadani: argmax p(x | y) p(y), the two models share the work"""
    assert rows[0][1] > max(rows[1][1], rows[2][1])
    assert abs(rows[0][1] - rows[3][1]) < 1e-9
    assert rows[0][2] > rows[3][2]


@behind("orders")
def zhao_a_language_model_is_a_product_over_words_given_all(language, rows):
    """Zhao: a language model is a product over words given all earlier ones"""
    for text, value in rows:
        words = [*text.split(), "</s>"]
        assert (
            abs(
                value
                - sum(math.log(language.probability(word, ("<s>", "<s>", *words[:i]))) for i, word in enumerate(words))
            )
            < 1e-9
        )


@behind("perplexity")
def thadani_step_3_an_n_gram_language_model_learnt_from_text(output, perplexities):
    """Thadani: step 3, an n-gram language model learnt from text alone"""
    assert "[picture]" in output
    assert perplexities["unseen sentences"][0] > 3 * perplexities["unseen sentences"][1]


@behind("orders")
def thadani_p_y_says_which_order_of_words_is_fluent(rows):
    """Thadani: p(y) says which order of words is fluent"""
    assert max(rows, key=lambda row: row[1])[0] == "the dog is sleeping ."


@behind("corpus")
def thadani_step_1_a_corpus_of_sentence_pairs(examples, N, LANGUAGES):
    """Thadani: step 1, a corpus of sentence pairs"""
    assert len(examples) == N
    for e in examples[:100]:
        assert set(e.sentences) == set(LANGUAGES)


@behind("aer-numbers")
def thadani_step_2_alignments_are_learnt_without_supervision(rates):
    """Thadani: step 2, alignments are learnt without supervision"""
    for values in rates.values():
        assert min(values) < values[0] / 2


@behind("reordering")
def thadani_phrases_change_places_tomorrow_i_will_fly(output, phrases, cut):
    """Thadani: phrases change places (Tomorrow I will fly to the conference)"""
    assert "[picture]" in output
    assert len(phrases) == len(cut)
    assert [t for _, t in sorted(phrases)] != sorted(t for _, t in phrases)


@behind("grid")
def thadani_the_grid_of_links_with_its_phrases(output, phrases, extract_phrases, x, y, links):
    """Thadani: the grid of links with its phrases"""
    assert "[picture]" in output
    assert set(phrases) <= extract_phrases(len(x), len(y), links, max_length=3)


@behind("phrases")
def thadani_good_phrases_good_mapping(rows):
    """Thadani: good phrases, good mapping"""
    assert [row[2] for row in rows] == ["yes", "no", "yes", "yes", "no"]


@behind("table")
def thadani_step_2_a_phrase_table_from_a_large_corpus(rows):
    """Thadani: step 2, a phrase table from a large corpus"""
    for row in rows:
        assert 0 < row[2] <= 1
    assert ("der Hund", "the dog") in {(row[0], row[1]) for row in rows}


@behind("decode")
def thadani_step_4_the_decoder(rows):
    """Thadani: step 4, the decoder"""
    for row in rows:
        assert " ".join(piece.partition(" → ")[2] for piece in row[0]).lower().split()[0] == row[1].lower().split()[
            0
        ].rstrip(",")


@behind("weights")
def thadani_the_decoder_multiplies_p_x_y_with_p_y(by_weight):
    """Thadani: the decoder multiplies p(x | y) with p(y)"""
    assert by_weight[0] < 0.75 * by_weight[1]


@behind("parts")
def liu_and_malykh_a_statistical_system_has_many_components(rows):
    """Liu and Malykh: a statistical system has many components, each with its own objective"""
    assert len({row[1] for row in rows}) == len(rows) > 5
    for row in rows[:2] + rows[3:5]:
        assert row[2] > 1000


@behind("bridge")
def zhao_conditional_language_models_thadani_one_model_of_p(output, mixed):
    """Zhao: conditional language models; Thadani: one model of p(y_i | x, y_1 … y_{i-1})"""
    assert "[picture]" in output
    assert min(mixed) < 0.9 * min(mixed[0], mixed[-1])
