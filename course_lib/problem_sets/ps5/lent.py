"""A right version of exercise 2, lent to the exercise that builds on it: it stands alone."""


def beam_step(model: dict, live: list, k: int) -> tuple[list, list]:
    """The k best continuations that go on, and those among the best k that are finished."""
    following = [
        ((*words, word), score + log_p)
        for words, score in live
        for word, log_p in enumerate(model[tuple(words)])
        if log_p > -float("inf")
    ]
    following.sort(key=lambda hypothesis: -hypothesis[1])
    going = [hypothesis for hypothesis in following if hypothesis[0][-1] != 0]
    return going[:k], [hypothesis for hypothesis in following[:k] if hypothesis[0][-1] == 0]
