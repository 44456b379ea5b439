"""ps9.pos_unk: unknown words of an output put back, by attention or by their position (Luong et al. 2015)."""

from functools import partial
from random import Random

import torch
from torch import Tensor

from course_lib.grading.cases.isolate import alternate, isolating
from course_lib.grading.declare import arguments, changing, criterion, mistake, task, versions
from course_lib.grading.task import Case
from course_lib.subwords.words import UNK
from course_lib.systems import pos_unk as systems

Words = list[str]
PREFIX, NULL = systems.PREFIX, systems.NOWHERE


def reference(source: Words, output: Words, weights: Tensor, dictionary: dict[str, str]) -> Words:
    """The output with each <unk>, and each unkpos_d, replaced by what its source word is in the dictionary, or by that
    word itself.

    `weights` (output word, source word and </s>): of <unk> it is the source word with the largest weight; of unkpos_d
    at place j it is source word j − d. <unk> where this is </s>, or no word.
    """
    looked_at = weights.argmax(1).tolist()
    symbols = [NULL if i == len(source) else f"{PREFIX}{j - i}" for j, i in enumerate(looked_at)]
    marked = [symbol if said == UNK else said for said, symbol in zip(output, symbols, strict=True)]
    return systems.put_back(source, marked, dictionary)


# Mistakes


def largest(weights, j, output):
    return int(weights[j].argmax())


def looked_up(dictionary, word):
    return dictionary.get(word, word)


def number(said):
    return int(said.removeprefix(PREFIX))


def unknown(said):
    return said == UNK


def nothing(*_):
    return UNK


def as_it_is(said, dictionary):
    return said


def defined(
    source,
    output,
    weights,
    dictionary,
    unknown=unknown,
    asks=largest,
    look=looked_up,
    known=as_it_is,
    end=nothing,
    d=number,
    place=lambda j, d: j - d,
    of_position=None,
    null=nothing,
    outside=nothing,
):
    def word(i, j, beyond, look=look):
        return look(dictionary, source[i]) if 0 <= i < len(source) else beyond(source, weights, dictionary, i, j)

    found = []
    for j, said in enumerate(output):
        if said == NULL:
            found.append(null(source, weights, dictionary, said, j))
        elif said.startswith(PREFIX):
            i = place(j, d(said))
            found.append(word(i, j, outside, of_position or look))
        elif unknown(said):
            found.append(word(asks(weights, j, output), j, end))
        else:
            found.append(known(said, dictionary))
    return [each for each in found if each is not None]


wrong = versions(defined)
column_for_row = wrong("attention", asks=lambda weights, j, output: int(weights[:, j].argmax()))(
    "You look along a column of `weights`. Row j belongs to output word j: its largest number tells the source word."
)
smallest_weight = wrong("attention", asks=lambda weights, j, output: int(weights[j].argmin()))(
    "You take the source word with the smallest weight. The largest tells where the output word comes from."
)
word_at_the_same_place = wrong("attention", asks=lambda weights, j, output: j)(
    "You take the source word at the same place. Words may stand in another order: ask the weights."
)
one_too_far = wrong("attention", asks=lambda weights, j, output: largest(weights, j, output) + 1)(
    "You take the source word behind the one with the largest weight. Column i belongs to source word i, from 0."
)
one_too_early = wrong("attention", asks=lambda weights, j, output: max(largest(weights, j, output) - 1, 0))(
    "You take the source word before the one with the largest weight. Column i belongs to source word i, from 0."
)
row_of_the_next_word = wrong(
    "attention", asks=lambda weights, j, output: largest(weights, min(j + 1, len(output) - 1), output)
)("You use the row of the next output word. Row j belongs to output word j, from 0.")
row_of_the_word_before = wrong("attention", asks=lambda weights, j, output: largest(weights, max(j - 1, 0), output))(
    "You use the row of the output word before. Row j belongs to output word j, from 0."
)
row_of_the_first = wrong("attention", asks=lambda weights, j, output: largest(weights, output.index(UNK), output))(
    "You use the row of the first <unk> for all of them (output.index finds the first). enumerate counts the places."
)
rows_of_unknown_words_counted = wrong(
    "attention", asks=lambda weights, j, output: largest(weights, output[:j].count(UNK), output)
)("Your first <unk> has row 0, the second row 1, … Count the other output words, too: row j is of place j.")
all_rows_added = wrong("attention", asks=lambda weights, j, output: int(weights.sum(0).argmax()))(
    "You take the source word with the largest weight of all rows together. Each output word has its own row."
)


@mistake("attention")
def each_source_word_once(source, output, weights, dictionary):
    """You use a source word once only. Two unknown words may come from the same one."""
    left, order = weights.clone(), []
    for row in left:
        order.append(int(row.argmax()))
        if output[len(order) - 1] == UNK:
            left[:, order[-1]] = -1.0
    return defined(source, output, weights, dictionary, asks=lambda weights, j, output: order[j])


def sure(weights, j, output):
    return largest(weights, j, output) if weights[j].max() > 0.5 else weights.shape[1]


only_weights_above_a_half = wrong("attention", asks=sure)(
    "You leave <unk> where no weight is above 0.5. The largest one counts, however small it is."
)
unknown_words_left = wrong("attention", unknown=lambda said: False)(
    "You leave <unk> as it stands. The source word with the largest weight takes its place."
)
words_with_unk_in_them = wrong("attention", unknown=lambda said: "unk" in said)(
    "You replace words that have 'unk' in them, such as 'dunkel'. Only <unk> as a whole is unknown."
)
words_that_begin_with_unk = wrong("attention", unknown=lambda said: said == UNK or said.startswith("unk"))(
    "You replace words that begin with 'unk', such as 'unklar'. Only <unk> as a whole is unknown."
)
all_words_replaced = wrong("attention", unknown=lambda said: True)(
    "You replace every word. Those that are not unknown stay."
)

no_dictionary = wrong("dictionary", look=lambda dictionary, word: word)("You copy, and do not use the dictionary.")
left_where_the_dictionary_has_none = wrong("dictionary", look=lambda dictionary, word: dictionary.get(word, UNK))(
    "You leave <unk> where the dictionary does not have the source word. Then the source word itself is copied."
)
dropped_where_the_dictionary_has_none = wrong("dictionary", look=lambda dictionary, word: dictionary.get(word))(
    "You write nothing, or None, where the dictionary does not have the source word. Then the source word itself is "
    "copied."
)
any_case = wrong("dictionary", look=lambda dictionary, word: dictionary.get(word, dictionary.get(word.lower(), word)))(
    "For 'Bank' you take the dictionary's 'bank': do you look words up in small letters? They are compared as they are."
)
copied_in_small_letters = wrong("dictionary", look=lambda dictionary, word: dictionary.get(word, word.lower()))(
    "You copy words in small letters. They are copied as they are."
)
looked_up_twice = wrong("dictionary", look=lambda dictionary, word: looked_up(dictionary, looked_up(dictionary, word)))(
    "You look up what you have found once more. A translation is not a source word: look up once."
)
dictionary_turned_round = wrong(
    "dictionary", look=lambda dictionary, word: {y: x for x, y in dictionary.items()}.get(word, word)
)("You read the dictionary from target to source. Its keys are source words.")
known_words_translated = wrong("dictionary", known=lambda said, dictionary: dictionary.get(said, said))(
    "You look up words of the output that are not unknown. They stay as they are."
)


def written(source, weights, dictionary, i, j):
    return "</s>"


def without_the_end(source, weights, dictionary, i, j):
    return looked_up(dictionary, source[int(weights[j, : len(source)].argmax())])


end_written = wrong("end", end=written)("You write </s> into the output. Where it has the largest weight, <unk> stays.")
end_left_out = wrong("end", end=without_the_end)(
    "You leave out the column of </s>, and take the next best word. Where </s> has the largest weight, the model looks "
    "at no word, and <unk> stays."
)
last_word_for_the_end = wrong("end", end=lambda source, weights, dictionary, i, j: looked_up(dictionary, source[-1]))(
    "You take the last source word where </s> has the largest weight. Then <unk> stays."
)
dropped_at_the_end = wrong("end", end=lambda *_: None)(
    "You leave the word out where </s> has the largest weight. Then <unk> stays."
)


@mistake("end")
def no_source_word_for_the_end(source, output, weights, dictionary):
    """You ask for a source word where </s> has the largest weight: there is none, and Python raises an error. Then
    <unk> stays."""
    return defined(source, output, weights, dictionary, end=lambda source, weights, dictionary, i, j: source[i])


added = wrong("position", place=lambda j, d: j + d)("You take source word j + d. As d = j − i, it is word j − d.")
from_the_start = wrong("position", place=lambda j, d: abs(d))(
    "You take d for the place of the source word. It is the distance: word j − d."
)
turned_round = wrong("position", place=lambda j, d: d - j)("You take source word d − j. As d = j − i, it is j − d.")
sign_lost = wrong("position", d=lambda said: abs(number(said)))(
    "You lose the sign of d: 'unkpos_-2' is −2. Take all that stands behind unkpos_."
)
last_digit_alone = wrong("position", d=lambda said: int(said[-1]) * (-1 if "-" in said else 1))(
    "You read one digit of d. It can have two: take all that stands behind unkpos_."
)
counted_from_1 = wrong("position", place=lambda j, d: j + 1 - d)("You count places from 1. Both i and j begin at 0.")
counted_from_1_in_the_source = wrong("position", place=lambda j, d: j - d - 1)(
    "You take the source word before word j − d. Both i and j begin at 0."
)
positions_copied = wrong("position", of_position=lambda dictionary, word: word)(
    "You look up the words of <unk>, and copy those of unkpos_d. Both go through the dictionary."
)


@mistake("position")
def attention_asked_for_a_position(source, output, weights, dictionary):
    """You ask the weights for unkpos_d, too. It says itself where its source word stands: at j − d."""
    marked = [UNK if said.startswith(PREFIX) and said != NULL else said for said in output]
    return defined(source, marked, weights, dictionary)


@mistake("position")
def positions_left(source, output, weights, dictionary):
    """You leave unkpos_d as it stands. Source word j − d takes its place."""
    right = defined(source, output, weights, dictionary)
    return [said if said.startswith(PREFIX) else word for said, word in zip(output, right, strict=True)]


def from_the_end(source, weights, dictionary, i, j):
    return looked_up(dictionary, source[i]) if -len(source) <= i < 0 else UNK


counted_from_the_end = wrong("outside", outside=from_the_end)(
    "Where j − d is negative, Python counts from the end of the source. There is no such word: write <unk>."
)


def nearest(source, weights, dictionary, i, j):
    return looked_up(dictionary, source[0 if i < 0 else -1])


nearest_word = wrong("outside", outside=nearest)(
    "Where word j − d is outside of the source you take the first or last word. Write <unk>."
)
symbol_left_outside = wrong("outside", outside=lambda source, weights, dictionary, i, j: f"{PREFIX}{j - i}")(
    "You leave unkpos_d where word j − d is outside of the source. Write <unk>."
)
dropped_outside = wrong("outside", outside=lambda *_: None)(
    "You leave the word out where j − d is outside of the source. Write <unk>."
)


def by_attention(source, weights, dictionary, _, j):
    i = largest(weights, j, ())
    return looked_up(dictionary, source[i]) if i < len(source) else UNK


attention_asked_outside = wrong("outside", outside=by_attention)(
    "You ask the weights where word j − d is outside of the source. Write <unk>."
)


@mistake("outside")
def no_source_word_outside(source, output, weights, dictionary):
    """You ask for source word j − d where the source is shorter: Python raises an error. Write <unk>."""
    return defined(
        *(source, output, weights, dictionary),
        outside=lambda source, weights, dictionary, i, j: UNK if i < 0 else source[i],
    )


null_left = wrong("outside", null=lambda *_: NULL)("You leave unkpos_null as it stands. Write <unk>.")
null_dropped = wrong("outside", null=lambda *_: None)("You leave unkpos_null out. Write <unk>.")
attention_asked_for_null = wrong("outside", null=by_attention)(
    "You ask the weights for unkpos_null. It says that no source word belongs to it: write <unk>."
)
null_taken_for_0 = wrong("outside", null=lambda source, weights, dictionary, _, j: source[min(j, len(source) - 1)])(
    "You take unkpos_null for a d of 0. It says that no source word belongs to it: write <unk>."
)


@mistake("outside")
def null_read_as_a_number(source, output, weights, dictionary):
    """You read 'null' as a number, and Python raises an error. For unkpos_null write <unk>."""
    return defined(source, output, weights, dictionary, null=lambda source, weights, dictionary, said, j: number(said))


@mistake("arguments")
def output_written_over(source, output, weights, dictionary):
    """You write into the output that you are given. It belongs to the caller: make a new list."""
    output[:] = defined(source, output, weights, dictionary)
    return output


@changing("arguments", defined)
def words_added_to_the_dictionary(source, output, weights, dictionary):
    """You put words into the dictionary that you are given, as setdefault does. It belongs to the caller: get(…) asks
    without writing."""
    for word in source:
        dictionary.setdefault(word, word)


@changing("arguments", defined)
def end_put_behind_the_source(source, output, weights, dictionary):
    """You append </s> to the source that you are given. It belongs to the caller: [*source, "</s>"] is a new list."""
    source.append("</s>")


# Cases

SOURCE = (
    *("the", "old", "portico", "in", "Pont-de-Buis", "was", "built", "by", "Miller", "Smith", "near", "bank", "Bank"),
    *("and", "river", "town", "chat", "pain"),
)
TARGET = ("der", "die", "steht", "dort", "neben", "dunkel", "unklar", "Punkt", "im", "von", "am")
TRANSLATED = {
    **{"the": "der", "old": "alte", "portico": "Portikus", "built": "gebaut", "bank": "Ufer", "near": "nahe"},
    **{"river": "Fluss", "town": "Stadt", "chat": "Plauderei", "pain": "Schmerz", "and": "und", "was": "chat"},
}
ALL_TRANSLATED = TRANSLATED | {
    **{"in": "binnen", "Pont-de-Buis": "Buisbrück", "was": "war", "by": "durch", "Miller": "Müller"},
    **{"Smith": "Schmidt", "Bank": "Kasse"},
}

ATTENTION = (
    *(column_for_row, smallest_weight, word_at_the_same_place, one_too_far, one_too_early, row_of_the_next_word),
    *(row_of_the_word_before, row_of_the_first, rows_of_unknown_words_counted, all_rows_added),
    *(
        unknown_words_left,
        only_weights_above_a_half,
        words_with_unk_in_them,
        words_that_begin_with_unk,
        all_words_replaced,
    ),
)
DICTIONARY = (
    *(no_dictionary, left_where_the_dictionary_has_none, dropped_where_the_dictionary_has_none),
    *(any_case, copied_in_small_letters, looked_up_twice, dictionary_turned_round, known_words_translated),
)
END = end_written, end_left_out, last_word_for_the_end, dropped_at_the_end
POSITION = (
    *(added, from_the_start, turned_round, sign_lost, counted_from_1, counted_from_1_in_the_source, positions_copied),
    *(attention_asked_for_a_position, positions_left),
)
BELOW = counted_from_the_end, nearest_word, symbol_left_outside, dropped_outside, attention_asked_outside
OF_NULL = null_left, null_dropped, attention_asked_for_null, null_taken_for_0
ONCE = (each_source_word_once,)
MISSING = left_where_the_dictionary_has_none, dropped_where_the_dictionary_has_none, copied_in_small_letters
FREE = (*ATTENTION, *ONCE)


def case(source: Words, output: Words, weights: Tensor, dictionary: dict[str, str]) -> Case:
    unknown = sum(said == UNK or said.startswith(PREFIX) for said in output)
    says = f"{len(source)} source words, {len(output)} words of output, {unknown} of them unknown"
    return Case((source, output, weights, dictionary), f"{says}, {len(dictionary)} words in the dictionary")


ALL = (*FREE, *DICTIONARY, *END, *POSITION, *BELOW, *OF_NULL, last_digit_alone)
shows = partial(isolating(defined, ALL, case), apart=False)


def row(rng: Random, best: int, columns: int, sure: bool = False) -> list[float]:
    """Weights that sum to 1; the largest is at `best`, and below a half unless it is `sure`."""
    weights = [rng.uniform(0.03, 0.12) for _ in range(columns)]
    weights[best] = rng.uniform(1.7, 2.2) if sure else rng.uniform(0.2, 0.3)
    return [each / sum(weights) for each in weights]


def sentence(rng: Random, n: int, m: int, unknown: dict[int, str], best: dict[int, int]) -> tuple[Words, Words, Tensor]:
    """n source words, m of output, `unknown` at these places; these have the largest weight at `best`, or anywhere."""
    source, output = rng.sample(SOURCE, n), [rng.choice(TARGET) for _ in range(m)]
    for j, said in unknown.items():
        output[j] = said
    weights = [row(rng, best.get(j, rng.randrange(n)), n + 1) for j in range(m)]
    return source, output, torch.tensor(weights)


def lengths(rng: Random) -> tuple[int, int]:
    """The source is longer than the output, by two at least."""
    m = rng.randint(6, 8)
    return m + rng.randint(2, 3), m


@shows(*ATTENTION, free=(*ONCE, *MISSING))
def draw_attention(rng: Random, size: int) -> tuple:
    """Two or three times <unk>, copied from words in no order."""
    n, m = lengths(rng)
    places = rng.sample(range(1, m), 2 + size // 2 % 2)
    words = dict.fromkeys(places, UNK)
    source, output, weights = sentence(rng, n, m, words, {})
    weights[places[0]] = torch.tensor(row(rng, rng.randrange(n), n + 1, sure=True))
    known = rng.sample([j for j in range(m) if j not in places], 3)
    for j, word in zip(known, ("dunkel", "unklar", "unk"), strict=True):
        output[j] = word
    return source, output, weights, {}


@shows(*ONCE, free=(*ATTENTION, *MISSING))
def draw_shared(rng: Random, size: int) -> tuple:
    """Two of <unk> come from the same word."""
    n, m = lengths(rng)
    places = rng.sample(range(m), 2)
    words, best = dict.fromkeys(places, UNK), dict.fromkeys(places, rng.randrange(n))
    return *sentence(rng, n, m, words, best), {}


@shows(*DICTIONARY, free=FREE)
def draw_dictionary(rng: Random, size: int) -> tuple:
    """Five times <unk>: a word of the dictionary twice; one whose translation is a key; a name; a capital letter."""
    m = rng.randint(6, 7)
    n = m + 2
    places = rng.sample(range(m), 5)
    source, output, weights = sentence(rng, n, m, dict.fromkeys(places, UNK), {})
    wanted = ("portico", "was", rng.choice(("Pont-de-Buis", "Miller", "Smith", "by")), "Bank")
    others = [word for word in SOURCE if word not in wanted]
    source = rng.sample([*wanted, *rng.sample(others, n - 4)], n)
    for j, word in zip(places, (*wanted, "portico"), strict=True):
        weights[j] = torch.tensor(row(rng, source.index(word), n + 1))
    output[next(j for j in range(m) if j not in places)] = "chat"
    keys = rng.sample([*TRANSLATED], len(TRANSLATED))
    dictionary = {key: TRANSLATED[key] for key in keys} | {"geht": "by", "dort": "Smith"}
    return source, output, weights, dictionary | {"Ort": "Miller", "Platz": "Pont-de-Buis"}


@shows(*END, free=(*FREE, *DICTIONARY))
def draw_end(rng: Random, size: int) -> tuple:
    """Two times <unk>; one looks at </s>."""
    n, m = rng.randint(4, 8), rng.randint(4, 8)
    at_end, other = rng.sample(range(m), 2)
    source, output, weights = sentence(rng, n, m, {at_end: UNK, other: UNK}, {at_end: n})
    return source, output, weights, dict(ALL_TRANSLATED)


def symbol(j: int, i: int) -> str:
    return f"{PREFIX}{j - i}"


ABOUT_POSITIONS = (*FREE, *DICTIONARY, *BELOW, *END)


@shows(*POSITION, free=ABOUT_POSITIONS)
def draw_position(rng: Random, size: int) -> tuple:
    """Three or four unkpos_d of either sign, two for one source word, and one <unk>; either side is the longer one.

    One word ends as they do.
    """
    n, m = rng.randint(6, 7), rng.randint(9, 10)
    if size // 2 % 2:
        n, m = m, n
    known, asked, *places, last = rng.sample(range(m - 1), 4 + size // 2 % 2) + [m - 1]
    at = rng.sample(range(n), len(places))
    words = {j: symbol(j, i) for j, i in zip([*places, last], [*at, at[0]], strict=True)}
    words |= {asked: UNK, known: "Anlage_2"}
    source, output, weights = sentence(rng, n, m, words, {})
    return source, output, weights, dict(ALL_TRANSLATED)


@shows(last_digit_alone, free=(*ABOUT_POSITIONS, *POSITION))
def draw_far(rng: Random, size: int) -> tuple:
    """A d of two digits."""
    n, m = rng.randint(13, 15), rng.randint(13, 15)
    i, j = ((rng.randrange(2), rng.randrange(12, m)), (rng.randrange(12, n), rng.randrange(2)))[size // 2 % 2]
    return *sentence(rng, n, m, {j: symbol(j, i)}, {}), dict(ALL_TRANSLATED)


@shows(*BELOW, free=(*ABOUT_POSITIONS, *POSITION, last_digit_alone))
def draw_before(rng: Random, size: int) -> tuple:
    """An unkpos_d that points before the source, just before or further; one that points into it."""
    n, m = rng.randint(5, 7), rng.randint(5, 7)
    outside, inside = rng.sample(range(m), 2)
    before = rng.randint(2, n - 1) if size // 3 % 2 else 1
    words = {outside: symbol(outside, -before), inside: symbol(inside, rng.randrange(n))}
    return *sentence(rng, n, m, words, {}), dict(ALL_TRANSLATED)


@shows(*BELOW[1:], free=(*ABOUT_POSITIONS, *POSITION, last_digit_alone))
def draw_behind(rng: Random, size: int) -> tuple:
    """An unkpos_d that points behind the source, just behind or further."""
    n, m = rng.randint(5, 7), rng.randint(5, 7)
    j = rng.randrange(m)
    return *sentence(rng, n, m, {j: symbol(j, n + size // 3 % 3)}, {}), dict(ALL_TRANSLATED)


@shows(*OF_NULL, free=(*ABOUT_POSITIONS, *POSITION, last_digit_alone))
def draw_null(rng: Random, size: int) -> tuple:
    """unkpos_null, and behind it an unkpos_d that points into the source."""
    n, m = rng.randint(5, 7), rng.randint(5, 7)
    null, inside = sorted(rng.sample(range(m), 2))
    return *sentence(rng, n, m, {null: NULL, inside: symbol(inside, rng.randrange(n))}, {}), dict(ALL_TRANSLATED)


@shows(no_dictionary, left_where_the_dictionary_has_none, free=ALL)
def draw_arguments(rng: Random, size: int) -> tuple:
    """Words in no order; one <unk> is in the dictionary, one is not."""
    n, m = lengths(rng)
    return *sentence(rng, n, m, dict.fromkeys(rng.sample(range(m), 3), UNK), {}), dict(TRANSLATED)


TASK = task(
    __name__,
    "Unknown words put back",
    criteria=(
        criterion("attention", 1, alternate(draw_attention, draw_shared), visible=4)(
            "<unk> becomes the source word with the largest weight."
        ),
        criterion("dictionary", 0.5, draw_dictionary)(
            "It becomes what the dictionary has for that source word, if it has something."
        ),
        criterion("end", 0.5, draw_end)("Where </s> has the largest weight, <unk> stays."),
        criterion("position", 1, alternate(draw_position, draw_far), visible=6)("unkpos_d becomes source word j − d."),
        criterion("outside", 0.5, alternate(draw_before, draw_null, draw_behind), visible=6)(
            "unkpos_null, and what points outside of the source, become <unk>."
        ),
        arguments(0.5, draw_arguments)("Source, output, weights and dictionary are afterwards as they were."),
    ),
    forbidden=tuple(
        f"course_lib.systems.pos_unk.{name}" for name in ("put_back", "put_back_by_attention", "_translated")
    ),
)
