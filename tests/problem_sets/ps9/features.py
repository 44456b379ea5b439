"""What the cases of problem set 9 show."""

FEATURES = {
    ("score_function", "none"): {
        "several words each": lambda log_p, lengths, rewards, baseline: int(lengths.min()) > 1,
        "all rewards differ": lambda log_p, lengths, rewards, baseline: len({*rewards.flatten().tolist()}) > 2,
    },
    ("score_function", "others"): {
        "three samples or more": lambda log_p, lengths, rewards, baseline: rewards.shape[1] > 2,
    },
    ("score_function", "sentences"): {
        "three sentences": lambda log_p, lengths, rewards, baseline: len(rewards) == 3,
        "two sentences": lambda log_p, lengths, rewards, baseline: len(rewards) == 2,
        "without a baseline": lambda log_p, lengths, rewards, baseline: baseline == "none",
        "with a baseline": lambda log_p, lengths, rewards, baseline: baseline == "others",
        "other numbers of samples and of words": lambda log_p, *_: len({*log_p.shape}) == 3,
    },
    ("score_function", "padding"): {
        "without a baseline": lambda log_p, lengths, rewards, baseline: baseline == "none",
        "with a baseline": lambda log_p, lengths, rewards, baseline: baseline == "others",
        "no sample of a sentence is full": lambda log_p, lengths, *_: bool(
            (lengths.amax(1) < log_p.shape[2]).any() and (lengths.amax(1) == log_p.shape[2]).any()
        ),
    },
    ("score_function", "gradient"): {
        "without a baseline": lambda log_p, lengths, rewards, baseline: baseline == "none",
        "with a baseline": lambda log_p, lengths, rewards, baseline: baseline == "others",
    },
}
