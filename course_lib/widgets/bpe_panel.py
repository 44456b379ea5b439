"""One corpus of the BPE merge stepper as plain data: what to show after each merge, and why the next one is taken.

Everything is read off a `BPETrace`; the front end draws it and computes nothing.
"""

from dataclasses import astuple

from course_lib.subwords import BPE, Pair, trace_bpe
from course_lib.subwords.bpe_trace import trace_segment

TRACED, PAIRS, TERMS = 2000, 12, 4  # how many words are followed; how many pairs, and words in a formula, are shown
ALL, FREQUENT, CHANGED = 40, 16, 8  # a dictionary of up to ALL words is shown whole, of a larger one so many at a time
RULES = {
    "first": "it is met first when the dictionary is read from the top",
    "largest": "it comes last in alphabetical order",
}
STOPPED = {
    "merges": "All the merges asked for are made. Learning on would go on from these counts.",
    "no pair left": "No pair is left: every word is one piece.",
}
Words = list[tuple[str, int]]


def learn_panel(
    label: str, corpus: dict[str, int], merges: int, tie: str, marker: str, choices: dict[int, Pair], word: str = ""
) -> dict:
    """Learn `merges` merges from a dictionary and return the panel, JSON-able.

    `word`, also one that the dictionary lacks, is cut with them. `choices` maps a step to the pair the reader takes
    instead of the rule's. Raises ValueError as `BPE.learn` and `BPE.segment` do, and if a choice is not one of the
    most frequent pairs of its step.
    """
    rules = {"tie": tie, "marker": marker, "choices": choices}
    trace = trace_bpe(corpus, merges, **rules, limit_words=TRACED, limit_pairs=PAIRS)
    for step, pair in choices.items():
        if step < len(trace.steps) and pair not in trace.steps[step].maxima:
            raise ValueError(f"choices wants {pair} at step {step}, but more frequent pairs exist there")
    segmented = [trace.start, *(step.pieces for step in trace.steps)]
    rankings = [(step.counts, step.before, step.maxima, step.chosen) for step in trace.steps]
    rankings.append((trace.next_counts, trace.next_before, trace.next_maxima, None))
    why = [explain(step.counts, step.maxima, step.chosen, tie) for step in trace.steps] + [[STOPPED[trace.stopped]]]
    shown = shown_words(trace.words, segmented)
    kept = sorted(set().union(*shown))
    return {
        "label": label,
        "choices": [[step, *pair] for step, pair in sorted(choices.items())],
        "words": [
            {"word": word, "count": count, "history": history([pieces[i] for pieces in segmented])}
            for i in kept
            for word, count in [trace.words[i]]
        ],
        "total_words": len(corpus),
        "cut": cut(BPE(trace.vocabulary, [step.chosen for step in trace.steps], marker), word) if word else None,
        "vocabulary": trace.vocabulary,
        "merges": [
            {"pair": list(step.chosen), "symbol": step.symbol, "vocabulary_size": step.vocabulary_size}
            for step in trace.steps
        ],
        "positions": [
            {**position(*ranking, trace.words, pieces), "why": reason, "shown": [kept.index(i) for i in words]}
            for ranking, pieces, reason, words in zip(rankings, segmented, why, shown, strict=True)
        ],
    }


def shown_words(words: Words, segmented: list[list[list[str]]]) -> list[list[int]]:
    """Which words to show after each merge: all of a small dictionary, or those just changed and the most frequent."""
    if len(words) <= ALL:
        return [list(range(len(words)))] * len(segmented)
    by_frequency = sorted(range(len(words)), key=lambda i: -words[i][1])
    shown = [by_frequency[: FREQUENT + CHANGED]]
    for before, after in zip(segmented, segmented[1:], strict=False):
        changed = [i for i in by_frequency if after[i] != before[i]][:CHANGED]
        shown.append(list(dict.fromkeys(changed + by_frequency))[: FREQUENT + CHANGED])
    return shown


def history(segmentations: list[list[str]]) -> list[list]:
    """Only the changes: `[[0, pieces], [after merge n, pieces], …]`."""
    changes = [[0, segmentations[0]]]
    for n, pieces in enumerate(segmentations):
        if pieces != changes[-1][1]:
            changes.append([n, pieces])
    return changes


def cut(tokenizer: BPE, word: str) -> dict:
    """How a word is cut: its symbols, and each piece that a merge makes, as [merges done, start, end]."""
    joins = [astuple(join) for join in trace_segment(tokenizer, word)]
    return {"symbols": list(tokenizer.symbols(word)), "joins": [[step + 1, start, end] for step, start, end in joins]}


def position(
    counts: list[tuple[Pair, int]],
    before: list[int],
    maxima: list[Pair],
    chosen: Pair | None,
    words: Words,
    segmented: list[list[str]],
) -> dict:
    """The pairs at one position, each with its count as a sum over words, and what it was one merge before; `more`
    tied pairs are not listed."""
    ranked, was = list(counts), {pair: n for (pair, _), n in zip(counts, before, strict=True)}
    if chosen is not None and chosen not in was:
        ranked.append((chosen, ranked[0][1]))  # a choice among very many ties
    found = places({pair for pair, _ in ranked}, words, segmented)
    pairs = [
        {"pair": list(pair), "count": count, "change": count - was.get(pair, count), "new": was.get(pair) == 0}
        | {"tied": pair in maxima, **formula(count, found[pair])}
        for pair, count in ranked
    ]
    return {
        "pairs": pairs,
        "more": len(maxima) - sum(pair["tied"] for pair in pairs),
        "chosen": chosen and list(chosen),
    }


def places(pairs: set[Pair], words: Words, segmented: list[list[str]]) -> dict[Pair, list[list]]:
    """Where each of `pairs` occurs: [frequency, occurrences, word] for every word that has it."""
    found = {pair: {} for pair in pairs}
    for (word, frequency), pieces in zip(words, segmented, strict=True):
        for pair in zip(pieces, pieces[1:], strict=False):
            if pair in found:
                found[pair].setdefault(word, [frequency, 0, word])[1] += 1
    return {pair: list(terms.values()) for pair, terms in found.items()}


def formula(count: int, places: list[list]) -> dict:
    """c(a, b) = Σ_word frequency · occurrences: the largest terms, and the `rest` of the sum."""
    terms = sorted(places, key=lambda term: -term[0] * term[1])[:TERMS]
    return {"terms": terms, "rest": count - sum(frequency * occurrences for frequency, occurrences, _ in terms)}


def explain(counts: list[tuple[Pair, int]], maxima: list[Pair], chosen: Pair, tie: str) -> list[str]:
    """Why `chosen` is merged, as a sentence in parts: plain text and pieces take turns."""
    highest = counts[0][1]
    if len(maxima) == 1:
        return ["", " ".join(chosen), f" occurs {times(highest)}, more often than any other pair."]
    winner = maxima[0]
    named = maxima if len(maxima) <= 3 else maxima[:2]
    parts = [""]
    for i, pair in enumerate(named):
        last = i == len(named) - 1 and len(named) == len(maxima)
        parts[-1] += "" if i == 0 else " and " if last else ", "
        parts += [" ".join(pair), ""]
    others = len(maxima) - len(named)
    both = "both occur" if len(maxima) == 2 else "all occur"
    parts[-1] += (f" and {others} more " if others else " ") + f"{both} {times(highest)}. "
    if chosen == winner:
        parts[-1] += f"The rule “{tie}” takes "
        return [*parts, " ".join(chosen), f": {RULES[tie]}."]
    parts[-1] += "You chose "
    return [*parts, " ".join(chosen), f"; the rule “{tie}” would take ", " ".join(winner), "."]


def times(n: int) -> str:
    """ "once", "twice", "3 times"."""
    return {1: "once", 2: "twice"}.get(n, f"{n:,} times")
