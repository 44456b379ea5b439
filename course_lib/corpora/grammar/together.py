"""What goes on at one time: what one does beside something else, with what is still there, and where."""


def _verbs(names: str) -> frozenset[str]:
    return frozenset(names.split())


CONSUMING = ("eat", "graze", "gnaw", "drink", "lap", "lap_milk", "burn", "demolish", "destroy")  # it is there no more
MAKING = ("build", "prepare", "write", "sew", "knit", "invent")  # before, it was not there
CHANGING = (*CONSUMING, *MAKING, "peel", "cut", "grill")  # one does nothing else with it meanwhile
SPENT = frozenset((*CONSUMING, "peel", "cut", "grill", "lose", "forget", "tear"))  # nobody buys what somebody lost
UNHAPPENED = ("cancel", "plan_it")  # nobody heard the concert
INVOLUNTARY = ("lose", "break", "forget", "fall", "spill")  # nobody says that it will happen
UNHOPED = _verbs(
    "be lose break forget fall spill cry tremble bite attack steal hate ignore destroy burn tear "
    "say think claim notice_that"
)
ENDS = {
    "wash": "dirty",
    "clean": "dirty",
    "polish": "dirty",
    "sweep": "dirty",
    "repair": "broken",
    "repair_there": "broken",
}

# What one can do to something while somebody else uses it: it stays as and where it is.
WITNESSING = _verbs(
    "see notice hear watch look_at photograph paint draw film admire describe look_for listen_to watch_film"
)
# What one can do to something that stays where it is: "found the pear in the box", not "sold the pear in the box".
IN_PLACE = WITNESSING | {"find", "love", "know", "hate", "fear", "touch", "stroke", "break", "read"}
# What somebody can do who is anywhere: "the man in the kitchen is singing", not "the man in the kitchen is swimming".
STATIONARY = IN_PLACE | _verbs(
    "sleep sing dance laugh cry smile work eat gnaw drink lap lap_milk say think know_that hope claim dream snore "
    "cough yawn whistle shout smoke bark howl miaow neigh croak chirp buzz admire envy respect tremble wait"
)
BEARING = frozenset(("see", "hear", "wear"))  # what somebody may go on doing beside all else, and states
SOUNDS = _verbs("laugh cry smile sing whistle yawn cough bark howl miaow neigh chirp")
# What one can do with a smile or a song; not eating, swimming or jumping.
BESIDE = _verbs(
    "run dance work play fly cross push pull carry prepare wash clean repair paint paint_thing draw cook sweep tidy "
    "polish knit sew iron fold water_plant harvest pick plant stir grill decorate comb_it drive feed gather load "
    "unload peel wait wait_for go chase"
)
# What may be said of a week, a month or a year: not "the cook slept this year".
LASTING = _verbs(
    "build write sew knit invent work travel visit climb buy sell sell_to lose find plant paint paint_thing repair "
    "repair_there renovate demolish learn translate discover explore meet marry invite rent win organise celebrate "
    "cancel film photograph tame harvest arrest borrow lend receive give send reach decorate live read steal hunt "
    "draw recommend leave bury test"
)
