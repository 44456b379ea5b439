"""Lecture 02: what its text says in numbers, behind the cell that it speaks of."""

from dataclasses import asdict

import numpy as np

from course_lib.checkpoints import RECIPES

from .rows import behind


@behind("size-table")
def bleu_rises_with_each_number_of_merges_characters_far_below(evidence):
    """five seeds each: 75.9 with 200 merges, 79.0 with 500, 82.0 with 1,000, 86.8 with 4,000, rising with each size,
    seeds at most 4.4 apart (2,000: 81.6 to 86.0); two of 2,000 are below 83.3 of 1,000; words 84.9, characters 15.2"""
    names = ("rnn.bpe_200", "rnn.bpe_500", "rnn.luong", "rnn.bpe_2000", "rnn.bpe_4000", "rnn.words", "rnn.characters")
    rows = {name: evidence.row(name, "bleu", range(5)) for name in names}
    means = [round(row.mean, 1) for row in rows.values()]
    assert means[:3] + means[4:] == [75.9, 79.0, 82.0, 86.8, 84.9, 15.2] and means[:5] == sorted(means[:5])
    assert means[3] < means[5] < means[4]
    merges = [list(rows[name].values.values()) for name in names[:5]]
    apart = [max(seeds) - min(seeds) for seeds in merges]
    assert round(max(apart), 1) == round(apart[3], 1) == 4.4
    assert (round(min(merges[3]), 1), round(max(merges[3]), 1)) == (81.6, 86.0)
    assert round(max(merges[2]), 1) == 83.3 and sum(value < max(merges[2]) for value in merges[3]) == 2


@behind("size-table")
def the_sizes_differ_in_their_merges_alone_and_have_five_seeds(rows, sizes):
    """the sizes differ in their merges alone; five seeds each"""
    recipes = [asdict(RECIPES[name]) for told, name in sizes.items() if told.startswith("BPE")]
    assert len({str(recipe | {"merges": 0}) for recipe in recipes}) == 1
    assert all(row[3] == 5 for row in rows)


@behind("size-bleu-table")
def the_rows_differ_in_their_pieces_alone(units):
    """the rows differ in their pieces alone: 3,600 steps, 60,000 pairs; 1,000 merges, 2,000 words"""
    recipes = {told: asdict(RECIPES[name]) for told, name in units.items()}
    assert len({str(recipe | {"pieces": "", "merges": 0}) for recipe in recipes.values()}) == 1
    for recipe in recipes.values():
        assert (recipe["steps"], recipe["sentences"], recipe["attention"]) == (3600, 60_000, "luong")
    assert [recipes[told]["merges"] for told in ("BPE, 1,000 merges", "words with UNK")] == [1000, 2000]


@behind("size-bleu-claims")
def five_seeds_82_0_and_84_9_contradicted_from_4_3_to_1_6(evidence):
    """82.0 and 84.9 (five seeds each), the interval from −4.3 to −1.6, contradicted"""
    pieces, words = (evidence.row(name, "bleu", range(5)) for name in ("rnn.luong", "rnn.words"))
    assert (f"{pieces.mean:.1f}", f"{words.mean:.1f}") == ("82.0", "84.9")
    found = evidence.difference(pieces, words, "bleu")
    assert (f"{found.low:+.1f}", f"{found.high:+.1f}", found.verdict) == ("-4.3", "-1.6", "contradicted")


@behind("size-bleu-unk")
def unk_in_three_tokens_costs_about_four_bleu(cut, whole):
    """UNK cut into three tokens costs the word list about four BLEU, more than the rows differ"""
    assert 3.5 < whole - cut < 4.7


@behind("size-bleu-claims")
def characters_15_2_shown_26_1_6_5_4_9_34_1_and_4_5(evidence):
    """the five seeds of the characters: 26.1, 6.5, 4.9, 34.1, 4.5, 15.2 on the mean; 1,000 merges are better: shown"""
    pieces, characters = (evidence.row(name, "bleu", range(5)) for name in ("rnn.luong", "rnn.characters"))
    assert [round(value, 1) for value in characters.values.values()] == [26.1, 6.5, 4.9, 34.1, 4.5]
    assert round(characters.mean, 1) == 15.2
    assert evidence.difference(pieces, characters, "bleu").verdict == "shown"


@behind("size-bleu-unk")
def n_82_of_200_outputs_hold_unk_three_quarters_of_the_numbers(rows):
    """words: 82 of 200 outputs hold UNK; pieces: none, with three quarters of the learnt numbers"""
    of = {row[0]: row for row in rows}
    assert (of["words with UNK"][3], of["BPE, 1,000 merges"][3]) == (82, 0)
    assert 0.73 < of["BPE, 1,000 merges"][2] / of["words with UNK"][2] < 0.77


@behind("softmax-cost")
def nearly_sixteen_times_as_many_parameters(rows):
    """nearly sixteen times as many parameters"""
    assert 15.5 < rows[3][1] / rows[1][1] < 16


@behind("heaps")
def english_has_most_tokens_and_fewest_types_turkish(rows):
    """English has most tokens and fewest types, Turkish the reverse"""
    assert rows[0][1] > rows[1][1] > rows[2][1]
    assert rows[0][2] < rows[1][2] < rows[2][2]


@behind("heaps")
def heaps_exponent_lies_between_0_and_1(rows):
    """Heaps' exponent lies between 0 and 1"""
    for row in rows:
        assert 0 < row[5] < 1


@behind("heaps")
def more_than_half_of_all_types_occur_once_turkish_has_twice(rows):
    """more than half of all types occur once; Turkish has twice the OOV rate of English"""
    assert min(row[3] for row in rows) > 50
    assert rows[2][6] > 2 * rows[0][6]


@behind("unk")
def most_of_the_turkish_words_of_the_example_are_gone(with_unk, unseen, said, UNK):
    """most of the Turkish words of the example are gone"""
    assert with_unk(unseen["tr"][said], "tr").split().count(UNK) > len(unseen["tr"][said].split()) / 2


@behind("unk-against-size")
def a_doubled_list_never_halves_the_unknown_words(unknown, pairwise):
    """a doubled list never halves the unknown words, and the full list leaves 17.9 and 40.3 %"""
    for _, y in unknown.values():
        for a, b in pairwise(y[:5]):
            assert b > a / 2
    assert (unknown["English"][1][-1], unknown["Turkish"][1][-1]) == (17.9, 40.3)


@behind("unk-against-size")
def for_the_same_list_a_language_with_more_word_forms_loses(unknown):
    """for the same list a language with more word forms loses more"""
    for a, b, c in list(zip(*(y for _, y in unknown.values()), strict=False))[:5]:
        assert a < b < c


@behind("bleu-briefly")
def the_output_has_9_5_3_and_2_n_grams_and_bleu_43_5(rows, score):
    """the output has 43.5: a mean of 9 of 10, 5 of 9, 3 of 8 and 2 of 7, lowered for one missing word"""
    assert [row[2] for row in rows] == ["9 of 10", "5 of 9", "3 of 8", "2 of 7"]
    assert round(score, 1) == 43.5


@behind("unk-bleu")
def the_published_systems_have_between_17_and_36(rows):
    """the published systems have between 17 and 36"""
    scores = [score for row in rows for score in row[1:3]]
    assert min(scores) > 17 and max(scores) < 36


@behind("unk-bleu")
def rnnsearch_50_gains_three_times_what_moses_gains_the_gap(rows):
    """RNNsearch-50 gains three times what Moses gains; the gap shrinks from 6.55 to 1.47"""
    assert rows[1][3] > 3 * rows[2][3]
    assert rows[0][3] > 3 * rows[2][3]
    assert [round(rows[2][k] - rows[1][k], 2) for k in (1, 2)] == [6.55, 1.47]


@behind("characters")
def attention_over_characters_costs_21_to_34_times_as_much(rows):
    """attention over characters costs 21 to 34 times as much"""
    assert 20.5 < min(row[2] for row in rows) ** 2 < 21.5
    assert 33.5 < max(row[2] for row in rows) ** 2 < 34.5


@behind("bpe-by-hand")
def w_e_has_the_count_8_12_different_pairs(counts):
    """w e has the count 8; 12 different pairs"""
    assert counts["w", "e"] == 8
    assert len(counts) == 12


@behind("bpe-dictionary-1")
def n_13_merges_until_every_word_is_one_piece(rows, trace, step):
    """13 merges until every word is one piece"""
    assert len(rows) == 13
    assert trace.stopped == "no pair left"
    for word in step.pieces:
        assert len(word) == 1


@behind("bpe-dictionary-1")
def each_merge_adds_one_piece_to_the_vocabulary(rows, trace):
    """each merge adds one piece to the vocabulary"""
    assert [row[5] for row in rows] == [len(trace.vocabulary) + k for k in range(1, 14)]


@behind("overlap")
def a_a_a_counted_twice_merged_once(rows):
    """a a a: counted twice, merged once"""
    assert [row[1::2] for row in rows[1:3]] == [[2, 1], [3, 2]]


@behind("ties")
def both_tie_rules_have_est_w_after_two_merges_the_same(low, after_two):
    """both tie rules have est</w> after two merges, the same dictionary, another vocabulary"""
    assert len({tuple(map(rule.segment, low)) for rule in after_two.values()}) == 1
    assert len({rule.segment("estate") for rule in after_two.values()}) == 2
    for rule in after_two.values():
        assert "est</w>" in rule.vocabulary


@behind("bpe-dictionary-2")
def five_pairs_tie_for_the_first_merge_four_for_the_second(trace, BPE, four, sequence, rules):
    """five pairs tie for the first merge, four for the second; neither tie rule gives the sequence"""
    assert [len(step.maxima) for step in trace.steps[:2]] == [5, 4]
    for tie in rules:
        assert BPE.learn(four, 4, tie=tie, marker="separate").merges != list(sequence.values())


@behind("never-low")
def low_is_avoided_by_allowed_merges(trace):
    """low is avoided by allowed merges"""
    assert "low" not in [step.symbol for step in trace.steps]
    assert trace.next_counts[0][1] == 1
    for step in trace.steps:
        assert step.chosen in step.maxima


@behind("decoding")
def an_unfinished_word_is_shown(rows):
    """an unfinished word is shown as it is"""
    assert [row[1] for row in rows] == ["lowest low", "lowest lo"]


@behind("cost-one-merge")
def four_counts_change_three_pairs_are_new_eight_stay(rows, before):
    """four counts change, three pairs are new, eight stay"""
    assert sum(row[1] > 0 for row in rows) == 4
    assert sum(row[1] == 0 for row in rows) == 3
    assert len(before) - sum(row[1] > 0 for row in rows) == 8


@behind("cost-measured")
def n_46_words_for_the_first_merge_one_for_the_last_300_times(counts, visited, rows):
    """46 words for the first merge, one for the last, 300 times fewer in all"""
    assert len(counts) == 1284
    assert (visited[0], visited[999]) == (46, 1)
    assert 300 < rows[0][4] / rows[1][4] < 400


@behind("cost-measured")
def the_first_100_merges_make_nearly_half_of_all_visits(visited):
    """the first 100 merges make nearly half of all visits"""
    assert 0.45 < sum(visited[:100]) / sum(visited) < 0.5


@behind("cost-measured")
def the_definition_and_the_update_make_the_same_merges(learn_merges, spelled, english):
    """the definition and the update make the same merges"""
    assert learn_merges(spelled, 100)[0] == english.merges[:100]


@behind("morphemes")
def the_merge_2_ing_23_lar_and_ler_31_and_32(rows):
    """the: merge 2, -ing: 23, -lar and -ler: 31 and 32"""
    assert [row[4] for row in rows if row[1][0] in ("the</w>", "ing</w>", "lar", "ler")] == [2, 23, 31, 32]


@behind("morphemes")
def te_is_early_ung_and_yor_are_late_ung_is_rare_yor(rows):
    """-te is early, -ung and -yor are late; -ung is rare, -yor is not"""
    late = {row[1][0]: row[3:] for row in rows}
    assert late["te</w>"][1] < 10
    assert min(late["ung</w>"][1], late["yor"][1]) > 500
    assert late["ung</w>"][0] < 10 < 80 < late["yor"][0]


@behind("not-morphemes")
def ordu_w_is_made_first(output):
    """ordu</w> is made first"""
    assert output.split("ordu</w>")[0].strip() in ("", "text/plain")


@behind("new-words")
def unknown_pieces_of_new_words_are_known_characters(unknown, learned):
    """unknown pieces of new words are known characters at the end of a word"""
    assert unknown
    for code, p in unknown:
        assert p.endswith("</w>")
        assert p[: -len("</w>")] in learned[code].vocabulary


@behind("new-words")
def the_separate_marker_has_no_such_pieces(BPE, train, unseen):
    """the separate marker has no such pieces"""
    apart = BPE.learn(train["en"], 1000, marker="separate")
    assert {p for line in unseen["en"] for p in apart.encode(line)} <= set(apart.vocabulary)


@behind("order")
def between_15_and_19_of_the_words_are_cut_differently(rows):
    """between 15 and 19 % of the words are cut differently"""
    for row in rows:
        assert 15 < row[1] < 19


@behind("order-steps")
def the_merges_in_turn_give_what_the_library_gives(pieces, bpe, word, rows):
    """the merges in turn give what the library gives"""
    assert pieces == bpe.segment(word)
    assert len(rows) > 2


@behind("wordpiece-scores")
def bpe_gain_and_ratio_choose_three_different_pairs(best, ratios):
    """BPE, gain and ratio choose three different pairs"""
    assert best == [("##e", "##s"), ("##s", "##t"), ("w", "##i")]
    assert ratios["##i", "##d"] == ratios["w", "##i"]


@behind("wordpiece-scores")
def e_w_is_frequent_and_has_the_smallest_gain(counts, gains):
    """##e ##w is frequent and has the smallest gain"""
    assert counts["##e", "##w"] == 6
    assert min(gains, key=gains.get) == ("##e", "##w")


@behind("gain-by-hand")
def n_79_pieces_70_after_9_merges_the_numbers_of_the_gain(piece_counts, start, f, gains, rows):
    """79 pieces, 70 after 9 merges; the numbers of the gain by hand"""
    assert sum(piece_counts(start.items()).values()) == 79
    assert f"{f(79) - f(70):.2f} {f(9):.2f}" == "47.79 19.78"
    assert [round(gains[pair], 2) for pair in (("##s", "##t"), ("##e", "##s"))] == [28.02, 16.26]
    assert (rows[5][2:4], round(rows[5][6], 2)) == ([17, 8], -31.53)


@behind("gain-by-hand")
def the_gain_of_a_rare_pair_is_close_to_c_log_n_ratio_1(gain, log, piece_counts, ratio):
    """the gain of a rare pair is close to c (log(N ratio) - 1)"""
    spread = {("x", "y"): 9} | {(a, str(k)): 9 for a in "xy" for k in range(300)}
    assert (
        abs(
            gain(spread, ("x", "y"))
            / (9 * (log(sum(piece_counts(spread.items()).values()) * ratio(spread, ("x", "y"))) - 1))
            - 1
        )
        < 0.05
    )


@behind("wordpiece-learn")
def the_gain_finds_th_the_and_as_bpe_does(joined):
    """the gain finds th, the, and, as BPE does"""
    assert {"th", "the", "and"} <= set(joined["gain"])


@behind("wordpiece-rare")
def the_ratio_collects_what_is_rare(found):
    """the ratio collects what is rare"""
    assert max(found["ratio"]) < 4 < 40 < min(found["gain"])


@behind("longest-match-cell")
def worm_is_unknown(longest_match, pieces, UNK):
    """worm is unknown"""
    assert longest_match("worm", pieces) == (UNK,)
    assert "##r" in pieces


@behind("viterbi")
def now_here_has_0_0003_no_where_0_0008_and_the_table_finds(table, best, p):
    """now here has 0.0003, no where 0.0008, and the table finds it"""
    assert table.pieces == ("no", "where")
    assert round(best[-1], 9) == 0.0008
    assert round(p["now"] * p["here"], 9) == 0.0003


@behind("viterbi-lattice")
def the_lattice_is_drawn_with_the_way_that_the_table_finds(output, _):
    """the lattice is drawn, with the way that the table finds"""
    assert "[picture]" in output
    assert "no + where" in repr(_)


@behind("sentencepiece-save")
def a_saved_model_gives_the_same_pieces_and_the_sentence(again, sentence, pieces, ids):
    """a saved model gives the same pieces and the sentence"""
    assert again.encode(sentence) == pieces
    assert again.processor.decode(ids) == sentence


@behind("nbest")
def the_best_six_are_in_order_the_first_is_what_encode(totals, ways, unigram, viterbi, log_p):
    """the best six are in order, the first is what encode and our table give"""
    assert totals == sorted(totals, reverse=True)
    assert ways[0] == unigram.encode("whispering")
    assert viterbi("▁whispering", log_p).pieces == tuple(ways[0])


@behind("nbest")
def without_his_the_word_loses_0_69(ways, totals):
    """without his the word loses 0.69"""
    assert "his" in ways[0]
    assert "his" not in ways[1]
    assert [round(t, 2) for t in totals[:2]] == [-24.47, -25.16]
    assert round(totals[0] - totals[1], 2) == 0.69


@behind("sampling")
def a_small_alpha_gives_many_cuts_a_large_one_nearly_always(rows):
    """a small alpha gives many cuts, a large one nearly always the best"""
    assert rows[0][1] > rows[1][1] > rows[2][1]
    assert rows[0][2] < 20
    assert rows[2][2] > 60


@behind("compare")
def bpe_is_shortest_the_unigram_model_longest_all(tokenizers, means, BPE, sample, size):
    """BPE is shortest, the unigram model longest, all with the same size"""
    assert min(tokenizers, key=means.get) == "BPE"
    assert max(tokenizers, key=means.get) == "SentencePiece unigram"
    assert len(BPE.learn(sample, size - len(BPE.learn(sample, 0).vocabulary)).vocabulary) == size


@behind("compare-agree")
def no_two_methods_cut_half_of_the_new_words_alike(rows):
    """no two methods cut half of the new words alike"""
    for row in rows:
        for value in row[1:]:
            assert 0 < value < 50 or value == 100


@behind("size-length-check")
def in_pieces_the_languages_differ_by_less_than_15_in_words(length, rows):
    """in pieces the languages differ by less than 15 %, in words Turkish is by far the shortest"""
    for n in zip(*(pieces for _, pieces in length.values()), strict=False):
        assert max(n) < 1.15 * min(n)
    assert rows[2][4] < 0.8 * rows[0][4]
    assert rows[0][5] < rows[1][5] < rows[2][5]
    assert rows[0][5] > 1


@behind("size-length")
def the_curves_do_not_cross(length):
    """the curves do not cross: with vocabularies of one size English has the fewest pieces, Turkish the most"""
    sizes = np.geomspace(max(s[0] for s, _ in length.values()), min(s[-1] for s, _ in length.values()), 50)
    of = {name: np.interp(np.log(sizes), np.log(known), pieces) for name, (known, pieces) in length.items()}
    assert (of["English"] < of["German"]).all() and (of["German"] < of["Turkish"]).all()


@behind("size-length")
def nearly_all_of_a_large_vocabulary_is_rare(rare):
    """nearly all of a large vocabulary is rare"""
    for _, seldom in rare.values():
        assert seldom[-1] > 90
        assert seldom[0] > min(seldom)


@behind("joint-cost")
def a_joint_vocabulary_makes_the_sentences_a_little_shorter(rows):
    """a joint vocabulary makes the sentences a little shorter"""
    for row in rows:
        assert row[4] < row[3]


@behind("units")
def the_largest_word_list_is_16_times_the_smallest_subwords(rows):
    """the largest word list is 16 times the smallest; subwords are about as many as the smallest"""
    lists = [row[1] for row in rows[:4]]
    assert 16 < max(lists) / min(lists) < 17
    for row in rows[4:]:
        assert 1 <= row[1] / min(lists) < 2.2


@behind("wrong-unicode")
def f_r_one_piece_in_nfc_four_in_nfd_one_of_them_unknown_i(rows, vocabulary, train):
    """für: one piece in NFC, four in NFD, one of them unknown; İ becomes two code points"""
    assert [len(row[2]) for row in rows] == [1, 4]
    assert vocabulary.ids(rows[1][2]).count(vocabulary.unk_id) == 1
    assert "I".lower() == "i"
    assert len("İ".lower()) == 2
    assert "\u0308" not in "".join(train["de"])


@behind("wrong-unseen")
def bpe_loses_the_three_letters_that_training_lacks(by_bpe, UNK, by_wordpiece, by_unigram, processor, ids, city, train):
    """BPE loses the three letters that training lacks, WordPiece the word, SentencePiece joins neighbours"""
    assert by_bpe == [UNK, UNK, "d", UNK]
    assert by_wordpiece == (UNK,)
    assert by_unigram.count(UNK) == 2
    assert "⁇" in processor.decode(ids)
    assert [c for c in city if c in "".join(train["en"])] == ["d"]


@behind("bytes-words")
def water_has_two_pieces_the_hindi_word_twelve_for_four(rows):
    """water has two pieces, the Hindi word twelve for four characters"""
    assert [row[2:5:2] for row in rows if row[0] in ("English", "Hindi")] == [[5, 2], [4, 12]]


@behind("bytes-words")
def a_greek_or_russian_letter_has_two_bytes_a_hindi(water):
    """a Greek or Russian letter has two bytes, a Hindi or Chinese character three"""
    for name, n in (("Greek", 2), ("Russian", 2), ("Hindi", 3), ("Chinese", 3)):
        assert len(water[name].encode()) == n * len(water[name])


@behind("bytes-words")
def gpt_2_has_50_257_entries(BYTES):
    """GPT-2 has 50,257 entries"""
    assert len(BYTES) + 50_000 + 1 == 50_257


@behind("bytes-words")
def for_byte_level_bpe_no_text_is_unknown(Vocabulary, byte_level, water, city, to_bytes):
    """for byte-level BPE no text is unknown"""
    numbers = Vocabulary(byte_level.vocabulary)
    assert numbers.unk_id not in numbers.ids(
        p for word in [*water.values(), city, "☂"] for p in byte_level.segment(to_bytes(word))
    )


@behind("bytes-length")
def english_unchanged_turkish_has_10_more_bytes_one_piece(rows):
    """English unchanged; Turkish has 10 % more bytes, one piece more after 100 merges, hardly any after 1,000"""
    assert rows[0][1:] == [0.0, rows[0][2], rows[0][2], rows[0][4], rows[0][4]]
    assert 9.5 < rows[2][1] < 10.5
    assert 0.8 < rows[2][3] - rows[2][2] < 1.3
    assert 0 < rows[2][5] - rows[2][4] < 0.2


@behind("bytes-length")
def early_merges_join_the_two_bytes_of_turkish_letters(from_bytes, learn_bytes, train):
    """early merges join the two bytes of Turkish letters"""
    early = [from_bytes("".join(pair).replace("</w>", "")) for pair in learn_bytes(train["tr"], 100).merges]
    assert set("ışğ") <= set(early)


@behind("bytes-broken")
def half_a_character_shows_as_a_replacement(rows):
    """half a character shows as a replacement"""
    assert rows[0][2] == "kuş"
    assert rows[1][2] == "ku\ufffd"


@behind("wrong-whitespace")
def bpe_returns_a_space_between_any_two_words_and_signs(output):
    """BPE returns a space between any two words and signs, SentencePiece the sentence"""
    assert 'She said : " Look ! "' in output
    assert output.count('She said: "Look!"') == 1


@behind("solution-merges")
def exercise_1_te_tea_w_tea(trace):
    """exercise 1: te, tea</w>, tea"""
    assert [step.symbol for step in trace.steps] == ["te", "tea</w>", "tea"]


@behind("solution-order")
def exercise_2_l_ow_w_and_lo_w_w(rows):
    """exercise 2: l ow</w> and lo w</w>"""
    assert [row[1] for row in rows] == [("l", "ow</w>"), ("lo", "w</w>")]


@behind("solution-gain")
def exercise_4_by_hand_as_by_the_library(rows):
    """exercise 4: by hand as by the library"""
    for _, by_hand, library in rows:
        assert abs(by_hand - library) < 1e-9


@behind("solution-viterbi")
def exercise_5_the_cut_changes_at_0_03(rows):
    """exercise 5: the cut changes at 0.03"""
    assert [row[2] for row in rows] == [("car", "pet")] * 2 + [("carp", "et")]


@behind("solution-stop")
def exercise_6_bpe_makes_16_merges_wordpiece_none(by_hand, library, bpe_merges, wordpiece_merges):
    """exercise 6: BPE makes 16 merges, WordPiece none"""
    assert abs(by_hand - library) < 1e-9
    assert library < 0
    assert (bpe_merges, wordpiece_merges) == (16, 0)


@behind("solution-sum")
def exercise_7_the_sum_over_the_table_is_the_sum_over_all(total, everything, percent):
    """exercise 7: the sum over the table is the sum over all segmentations"""
    assert abs(total[-1] - everything) < 1e-15
    assert 70 < percent(0.0008, total[-1]) < 75


@behind("solution-dropout")
def exercise_8_many_cuts_only_known_pieces(draws, known_only):
    """exercise 8: many cuts, only known pieces"""
    assert len(draws) > 50
    assert known_only


@behind("stepper-dictionary-1")
def the_stepper_asks_to_predict_the_merges_of_dictionary_1(_, BPEStepper):
    """the stepper asks to predict the merges of dictionary 1"""
    assert isinstance(_, BPEStepper)


@behind("stepper-dictionary-2")
def the_stepper_offers_the_ties_of_dictionary_2(_, BPEStepper):
    """the stepper offers the ties of dictionary 2"""
    assert isinstance(_, BPEStepper)


@behind("stepper-own-text")
def the_stepper_takes_the_reader_s_own_text(_, BPEStepper):
    """the stepper takes the reader's own text"""
    assert isinstance(_, BPEStepper)


@behind("stepper-languages")
def the_stepper_shows_two_languages(_, BPEStepper):
    """the stepper shows two languages"""
    assert isinstance(_, BPEStepper)
