"""Lecture 01: what its text says in numbers, behind the cell that it speaks of."""

import inspect

import numpy as np

from .rows import behind


@behind("tasks")
def the_translation_has_one_word_more_than_its_source_named(rows):
    """the translation has one word more than its source; named entities and answers have fewer"""
    assert {row[0]: int(row[5]) - int(row[3]) for row in rows if "?" not in (row[3], row[5])}.items() >= {
        "machine translation": 1
    }.items()
    assert [row[0] for row in rows if "?" not in (row[3], row[5]) and int(row[5]) < int(row[3])] == [
        "visual question answering",
        "named entities",
    ]


@behind("sheep-answer")
def without_any_memory_each_of_the_2_2_1_2_sentences_gets_1(candidates, probability):
    """without any memory each of the 2 · 2 · 1 · 2 sentences gets 1/8"""
    assert len(candidates) == 8
    assert {probability(y, 0) for y in candidates} == {1 / 8}


@behind("sheep-answer")
def with_the_word_before_das_and_die_and_then_schlief(candidates, probability, GERMAN):
    """with the word before, das and die and then schlief and schliefen are mixed"""
    assert {y for y in candidates if probability(y, 1) == 1 / 4} == {
        (*words, "dort", verb) for words in (y[:2] for y in GERMAN) for verb in (y[3] for y in GERMAN)
    }


@behind("sheep-answer")
def with_all_words_before_only_the_two_right_sentences(candidates, probability, GERMAN):
    """with all words before only the two right sentences are left"""
    assert {y for y in candidates if probability(y, 3) > 0} == set(GERMAN)


@behind("explorer")
def after_weil_the_finite_verb_ends_its_clause(test):
    """after weil the finite verb ends its clause"""
    for e in test:
        if "because" in e.features:
            de = e.sentences["de"]
            assert any(
                de[k] in ",.?" and "tense" in {part.partition(":")[0] for _, part in e.words("de")[k - 1][1]}
                for k in range(de.index("weil"), len(de))
            )


@behind("splits")
def every_split_has_words_that_training_never_showed_novel(rows):
    """every split has words that training never showed, novel and names the most"""
    for row in rows:
        assert min(row[2:4]) > 0
    assert min(min(row[2:4]) for row in rows[4:]) > max(max(row[2:4]) for row in rows[:4])


@behind("splits")
def the_sentences_of_long_are_longer(rows):
    """the sentences of long are longer"""
    assert rows[3][1] > max(row[1] for k, row in enumerate(rows) if k != 3)


@behind("multi30k")
def nothing_is_downloaded_unless_the_reader_asks(DOWNLOAD_MULTI30K, notebook):
    """nothing is downloaded unless the reader asks for it"""
    assert not DOWNLOAD_MULTI30K
    assert "captions" not in notebook


@behind("files")
def a_mistake_in_a_file_is_reported_with_its_line(output):
    """a mistake in a file is reported with its line"""
    assert "mine.tsv, line 2" in output


@behind("histories")
def a_longer_memory_helps_on_training_sentences(perplexities):
    """a longer memory helps on training sentences"""
    assert perplexities["training sentences"] == sorted(perplexities["training sentences"], reverse=True)


@behind("histories")
def on_unseen_sentences_the_third_word_of_memory_brings_next(perplexities):
    """on unseen sentences the third word of memory brings next to nothing"""
    v = perplexities["unseen sentences"]
    assert v[0] - v[1] > 0.9 * (v[0] - min(v))
    assert v[3] > 0.95 * v[2]


@behind("histories")
def the_longer_the_history_the_less_often_it_is_known(rows):
    """the longer the history, the less often it is known"""
    assert [row[3] for row in rows] == sorted((row[3] for row in rows), reverse=True)
    assert rows[0][3] == 100


@behind("stepper-numbers")
def in_iteration_2_house_leaves_das_and_the_stays(rows):
    """in iteration 2 house leaves das, and the stays"""
    assert np.allclose(rows[0][1:5], 1 / 2)
    assert np.allclose(rows[1][1:5], [1 / 3, 2 / 3, 1 / 2, 1 / 2])


@behind("stepper-numbers")
def after_iteration_1_t_house_das_1_4_and_t_house_haus_1_2(trace, house, rows):
    """after iteration 1 t(house | das) = 1/4 and t(house | Haus) = 1/2"""
    assert np.isclose(trace["steps"][1]["translation"][trace["source_words"].index("das")][house], 1 / 4)
    assert np.isclose(rows[0][5], 1 / 2)
    assert np.isclose(rows[1][5], 4 / 7)


@behind("stepper-numbers")
def the_leaves_haus_only_in_iteration_3(rows):
    """the leaves Haus only in iteration 3"""
    assert rows[2][3] > 1 / 2 > rows[2][4]


@behind("stepper-numbers")
def la_maison_bleue_alone_stays_where_it_began_and_la_maison(em):
    """la maison bleue alone stays where it began, and la maison leaves bleue to blue"""
    bleue = (["la", "maison", "bleue"], ["the", "blue", "house"])
    table = em([bleue, (["la", "maison"], ["the", "house"])], 30)
    assert np.allclose(list(em([bleue], 9).values()), 1 / 3)
    assert table["bleue", "blue"] > 0.9
    assert np.isclose(table["la", "the"], table["maison", "the"])


@behind("spanish")
def a_vocabulary_of_30_000_words_has_about_10_90_sentences(log10):
    """a vocabulary of 30,000 words has about 10^90 sentences of 20 words"""
    assert round(20 * log10(30_000), 1) == 89.5


@behind("aer")
def em_raises_the_likelihood_of_the_training_pairs_with_each(forward):
    """EM raises the likelihood of the training pairs with each step"""
    assert forward.log_likelihoods == sorted(forward.log_likelihoods)


@behind("aer")
def the_likelihood_of_unseen_pairs_soon_stops_rising(likelihoods):
    """the likelihood of unseen pairs soon stops rising, and falls with few training pairs"""
    assert len(likelihoods) == 3
    _, u, v = likelihoods.values()
    turn = int(np.argmax(v))
    assert 2 <= turn <= 7
    assert v[turn] - v[-1] > 0.1
    assert abs(u[-1] - u[5]) < 0.05 * (u[5] - u[0])
    assert u[-1] > v[-1]


@behind("aer")
def words_that_met_their_partner_gain_the_few_others_lose(
    few, pairs, FEW, test, known_words, likelihoods, Model1, NULL
):
    """the words that met their partner gain after the turn, taken together; the few others lose far more"""
    early = Model1(pairs[:FEW]).fit(int(np.argmax(list(likelihoods.values())[2])))
    met = {(u, v) for x, y in pairs[:FEW] for u in x for v in y}
    gains = {True: [], False: []}
    for e in test:
        x, y = e.sentences["de"], e.sentences["en"]
        if known_words.issuperset(y):
            late, before = (model.probabilities((NULL, *x), y).mean(axis=1) for model in (few, early))
            for j, gain in enumerate(np.log(late / before)):
                gains[any((x[i], y[j]) in met for i, k in e.possible("de", "en") if k == j)].append(gain)
    assert sum(gains[True]) > 0
    assert sum(gains[False]) < -3 * sum(gains[True])
    assert len(gains[False]) < len(gains[True]) / 20


@behind("aer-numbers")
def four_steps_bring_nearly_all_of_the_gain_in_aer(rows):
    """four steps bring nearly all of the gain in AER"""
    for row in rows:
        assert row[1] - row[2] > 0.85 * (row[1] - row[3])


@behind("aer-numbers")
def symmetrising_is_better_than_either_direction(rates):
    """symmetrising is better than either direction"""
    for one, other, both in list(zip(*rates.values(), strict=False))[4:6]:
        assert both < min(one, other)


@behind("spurious")
def german_has_many_more_commas_than_english(words_of, examples):
    """German has many more commas than English"""
    assert words_of(examples, "de").count(",") > 1.5 * words_of(examples, "en").count(",")


@behind("aer-tags")
def relative_clauses_are_hardest_because_is_no_harder(by_tag):
    """relative clauses are hardest, because is no harder than other sentences"""
    assert max(by_tag, key=by_tag.get) == "relative"
    assert by_tag["because"] <= sorted(by_tag.values())[2]


@behind("spurious")
def articles_linked_to_a_wrong_the_and_the_comma_linked(rows, spurious):
    """articles linked to a wrong the, and the comma linked to that, are frequent"""
    assert (lambda first: {("das", "the"), (",", "that")} <= first and {("die", "the"), ("der", "the")} & first)(
        {(x, y) for x, y, *_ in rows[:4]}
    )
    assert max((pair for pair in spurious if pair[0] == ","), key=spurious.get) == (",", "that")


@behind("decode")
def the_beam_keeps_the_ten_best_beginnings_and_a_word(decode, table, language):
    """the beam keeps the ten best beginnings, and a word that the table does not have is copied"""
    assert inspect.signature(decode).parameters["beam_size"].default == 10
    assert decode(["Xyz"], table, language).target == ["Xyz"]


@behind("weights")
def a_translation_may_match_any_right_reading_er_is_he(reference_streams, dev, bleu, metric, to_english, translate):
    """a translation may match any right reading, er is he or it"""
    assert len(reference_streams(dev, "de", "en")) > 1
    assert (
        bleu(dev)
        >= metric.corpus_score([to_english(translate(e).target) for e in dev], [[e.text("en") for e in dev]]).score
    )
    assert any(
        "he" in a.lower().split() and "it" in b.lower().split()
        for e in dev
        for a in e.references("de", "en")
        for b in e.references("de", "en")
    )


@behind("weights")
def too_much_of_the_language_model_is_no_better(by_weight):
    """too much of the language model is no better"""
    assert by_weight[4] < 0.97 * max(by_weight.values())


@behind("verb-last")
def built_sentences_the_verb_moves_farther_than_a_phrase_but(rows, last, test):
    """built sentences: the verb moves farther than a phrase, but for the first"""
    assert rows[0][2] == 0
    assert min(row[2] for row in rows[1:]) > 4
    assert len(last) > len(test) / 10


@behind("verb-last")
def built_sentences_second_and_last(rows):
    """built sentences: second, and last"""
    assert [row[1].rstrip(".").split()[-1] for row in rows][1:3] == ["lesen", "gelesen"]
    assert rows[3][1].endswith("hat.")


@behind("crossing")
def each_part_is_worse_than_the_one_before(scores, more, test):
    """each part is worse than the one before"""
    v = list(scores.values())
    assert v == sorted(v, reverse=True)
    assert v[2] < 0.85 * v[0]
    assert [e.sentences for e in more[:200]] == [e.sentences for e in test]


@behind("crossing")
def sentences_in_order_are_shorter(rows):
    """sentences in order are shorter"""
    assert rows[0][2] < rows[1][2] < rows[2][2]


@behind("verbs-lost")
def sentences_with_their_verb_last_in_german_only_all_their(lost, verb_is_last, trained):
    """sentences with their verb last in German only, all their words seen, that lose or misplace it"""
    assert len(lost) > 4
    for e in lost:
        assert verb_is_last(e, "de")
        assert not verb_is_last(e, "en")
    for e in lost:
        assert trained["de"].issuperset(e.sentences["de"])


@behind("verbs-lost")
def the_3_gram_model_favours_leaving_the_verb_out(last, language):
    """the 3-gram model finds each reference more probable without its verb than with the verb at the end"""
    favoured = []
    for e in last:
        y, k = e.sentences["en"], len(e.sentences["de"]) - 2
        verb = [j for j in range(len(y)) if (k, j) in e.alignment("de", "en")]
        if verb:
            left = [word for j, word in enumerate(y) if j not in verb]
            moved = [*left[:-1], *(y[j] for j in verb), left[-1]]
            favoured.append(language.log_probability(left) > language.log_probability(moved))
    assert len(favoured) > 40 and all(favoured)


@behind("french")
def french_changes_the_order_near_by_and_is_translated(rows):
    """French changes the order near by, and is translated better"""
    assert rows[1][3] < rows[0][3] / 2
    assert rows[1][4] < rows[0][4]
    assert rows[1][5] > rows[0][5] + 5


@behind("batches")
def target_in_begins_with_s_target_out_ends_with_s_the_words(vocabulary, batch):
    """target in begins with <s>, target out ends with </s>, the words between are the same"""
    assert (vocabulary.bos_id, vocabulary.eos_id) == (2, 3)
    assert batch.target_in[0][0] == 2
    assert [i for i in batch.target_in[0].tolist()[1:] if i] == [
        i for i in batch.target_out[0].tolist() if i not in (0, 3)
    ]


@behind("batches")
def one_of_the_batch_has_no_padding(batch):
    """one of the batch has no padding"""
    assert batch.source_mask.all(dim=1).any()
    assert not batch.source_mask.all()


@behind("my-aer-check")
def the_exercise_waits_for_an_answer(output):
    """the exercise waits for an answer"""
    assert "not written yet" in output


@behind("solution-aer")
def the_solution_is_right(aer_by_hand, ahead, sure, possible, alignment_error_rate):
    """the solution is right"""
    for k in range(50):
        assert np.isclose(
            aer_by_hand(ahead[k], sure[k], possible[k]), alignment_error_rate([ahead[k]], [sure[k]], [possible[k]])
        )


@behind("solution-undecided")
def two_pairs_alike_never_decide_a_third_one_does(em, undecided, decided):
    """two pairs alike never decide, a third one does"""
    assert np.isclose(em(undecided, 50)["Haus", "house"], 1 / 2)
    assert em(decided, 50)["Haus", "house"] > 0.9


@behind("solution-em")
def fractions_by_hand(rows):
    """fractions by hand"""
    assert rows == [["1", "1/2", "1/2"], ["2", "3/5", "4/7"]]


@behind("solution-consistent")
def three_links_give_5_phrase_pairs_two_give_8(output):
    """three links give 5 phrase pairs, two give 8"""
    assert "there are 5:" in output
    assert "there are 8:" in output


@behind("solution-direction")
def english_to_german_is_scored(into_german):
    """English to German is scored"""
    assert 0 < into_german < 100


@behind("solution-position")
def a_sense_of_position_mends_the_articles_and_not_the_comma(kappa, rows):
    """a sense of position mends the articles and not the comma"""
    assert kappa > 0
    assert rows[1][1] < rows[0][1]
    assert rows[1][2] < rows[0][2] / 2
    assert rows[1][3] > rows[0][3] / 2
