"""Right versions of exercises 2 to 4, lent to the exercises that build on them."""


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


def rank(hypotheses: list, penalty: str, alpha: float) -> list:
    """What is finished, else all, the best first by log p divided by a power of the length or by GNMT's penalty."""
    by = {"power": lambda n: n**alpha, "gnmt": lambda n: ((5 + n) / 6) ** alpha}[penalty]
    chosen = [hypothesis for hypothesis in hypotheses if hypothesis[0][-1] == 0] or hypotheses
    return sorted(((words, score / by(len(words))) for words, score in chosen), key=lambda ranked: -ranked[1])


def beam_search(model: dict, k: int, max_length: int, enough: float) -> list:
    """All finished outputs, else what is live at the end, the best first; `beam_step` and `rank` go with it."""
    live, finished = [((), 0.0)], []
    for _ in range(max_length):
        live, ended = beam_step(model, live, k)
        finished += ended
        if len(finished) >= enough or not live:
            break
    return rank(finished or live, "power", 0.0)
