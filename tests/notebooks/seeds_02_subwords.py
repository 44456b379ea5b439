"""Lecture 02: what a figure, table or example of a seed shows, behind the cell that shows it here."""

from .rows import behind


@behind("softmax-cost")
def liu_and_malykh_softmax_over_a_large_vocabulary_is_slow(rows):
    """Liu and Malykh: softmax over a large vocabulary is slow"""
    assert rows[-1][0] == 500_000
    assert rows[-1][2] > rows[0][2]


@behind("units")
def liu_and_malykh_word_level_systems_have_about_500k_words(output):
    """Liu and Malykh: word-level systems have about 500k words"""
    assert "500,000" in output


@behind("heaps")
def liu_and_malykh_vocabularies_are_open_larger_where(rows, output):
    """Liu and Malykh: vocabularies are open, larger where morphology is rich"""
    assert rows[0][2] < rows[1][2] < rows[2][2]
    assert "Turkish" in output


@behind("size-bleu")
def liu_and_malykh_figure_of_koehn_2005_bleu_against(points):
    """Liu and Malykh: figure of Koehn (2005), BLEU against vocabulary size"""
    assert set(points) == {"BPE", "characters", "words with UNK"}
    assert len(points["BPE"]) == 5


@behind("unk-against-size")
def liu_and_malykh_figure_of_koehn_2005_unk_against(unknown, NAMES):
    """Liu and Malykh: figure of Koehn (2005), UNK against vocabulary size"""
    assert set(unknown) == set(NAMES.values())
    for x, y in unknown.values():
        assert len(x) == len(y) == 6


@behind("unk-same")
def liu_and_malykh_unk_in_the_source_hides_which_word_it_was(rows):
    """Liu and Malykh: UNK in the source hides which word it was"""
    assert max(row[2].count("/") + 1 for row in rows) == 5


@behind("unk-share")
def liu_and_malykh_unk_in_the_target_cannot_be_read(rows):
    """Liu and Malykh: UNK in the target cannot be read"""
    assert rows[2][1] > 50 > rows[1][1] > rows[0][1]


@behind("unk-bleu")
def thadani_table_bleu_of_all_sentences_and_without_unk(output):
    """Thadani: table, BLEU of all sentences and without UNK"""
    for number in ["17.82", "26.71", "26.75", "34.16", "33.30", "35.63"]:
        assert number in output


@behind("characters")
def liu_and_malykh_character_level_models(rows):
    """Liu and Malykh: character-level models"""
    for row in rows:
        assert row[1] < 100
        assert 4 < row[2] < 6


@behind("bytes-words")
def liu_and_malykh_a_most_frequent_byte_pair_becomes_a_new(BYTES, to_bytes, byte_level, water):
    """Liu and Malykh: a most frequent byte pair becomes a new byte"""
    assert len(BYTES) == 256
    for word in water.values():
        assert set(to_bytes(word)) <= set(byte_level.vocabulary)


@behind("bpe-by-hand")
def liu_and_malykh_dictionary_1_and_its_counts(counts):
    """Liu and Malykh: dictionary 1 and its counts"""
    assert counts["e", "s"] == counts["s", "t</w>"] == 9


@behind("bpe-dictionary-1")
def liu_and_malykh_dictionary_1_the_first_vocabulary(output):
    """Liu and Malykh: dictionary 1, the first vocabulary"""
    assert "l o w</w> w e r</w> n s t</w> i d" in output


@behind("bpe-dictionary-1")
def liu_and_malykh_dictionary_1_its_three_merges(trace):
    """Liu and Malykh: dictionary 1, its three merges"""
    assert [step.symbol for step in trace.steps[:3]] == ["es", "est</w>", "lo"]


@behind("bpe-dictionary-2")
def straka_dictionary_2_a_possible_sequence_of_merges(sequence, trace):
    """Straka: dictionary 2, a possible sequence of merges"""
    assert list(sequence.values()) == [("r", "·"), ("l", "o"), ("lo", "w"), ("e", "r·")]
    for step in trace.steps:
        assert step.chosen in step.maxima


@behind("marker")
def liu_and_malykh_t_and_t_w_differ_straka_a_separate_marker(markers):
    """Liu and Malykh: t and t</w> differ; Straka: a separate marker"""
    assert [bpe.segment("estate")[0] for bpe in markers.values()] == ["es", "est"]


@behind("order")
def straka_merges_in_training_order_liu_and_malykh_longest(rows):
    """Straka: merges in training order; Liu and Malykh: longest piece"""
    for row in rows:
        assert row[3] != row[4]
    assert len(rows) == 9


@behind("gain-by-hand")
def straka_the_likelihood_of_a_text_under_a_unigram_model(gains, lines):
    """Straka: the likelihood of a text under a unigram model of its pieces"""
    for pair, whole in ((("##s", "##t"), "##st"), (("##e", "##s"), "##es"), (("l", "##o"), "lo")):
        assert abs(gains[pair] - sum(line[-1] for line in lines(pair, whole))) < 1e-9


@behind("wordpiece-scores")
def straka_wordpiece_joins_the_pair_with_the_largest_gain(gains, counts):
    """Straka: WordPiece joins the pair with the largest gain in likelihood"""
    assert max(gains, key=gains.get) == ("##s", "##t") != max(counts, key=counts.get)


@behind("longest-match-cell")
def straka_wordpiece_is_cut_by_longest_match(longest_match, pieces):
    """Straka: WordPiece is cut by longest match"""
    assert longest_match("wider", pieces) == ("wid", "##er")


@behind("compare-agree")
def straka_bpe_and_wordpiece_give_similar_results(output, rows):
    """Straka: BPE and WordPiece give similar results"""
    assert "same cut" in output
    assert len(rows) == 4


@behind("gnmt")
def thadani_jet_makers_feud_over_seat_width(output):
    """Thadani: Jet makers feud over seat width"""
    assert "Jet makers feud over seat width with big orders at stake" in output


@behind("sentencepiece-train")
def liu_and_malykh_sentencepiece_reads_raw_text(unigram, raw_unseen):
    """Liu and Malykh: SentencePiece reads raw text"""
    for line in raw_unseen["en"]:
        assert unigram.decode(unigram.encode(line)) == line


@behind("size-length")
def liu_and_malykh_text_length_against_vocabulary_size(length):
    """Liu and Malykh: text length against vocabulary size"""
    for _, pieces in length.values():
        assert pieces == sorted(pieces, reverse=True)


@behind("joint")
def straka_joint_bpe(separate, joint, size):
    """Straka: joint BPE"""
    assert separate["en"].segment("Kaplan") != separate["de"].segment("Kaplan")
    assert len(joint.vocabulary) == size


@behind("units")
def straka_32k_to_64k_subwords(output):
    """Straka: 32k to 64k subwords"""
    assert "32,000" in output
    assert "64,000" in output


@behind("units")
def li_the_transformer_s_vocabularies_37k_bpe_and_32k_word(output):
    """Li: the Transformer's vocabularies, 37k BPE and 32k word-piece"""
    assert "37,000" in output
