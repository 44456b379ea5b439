# ruff: noqa: E501 (tables are read by the row)
"""Meanings built by hand against sentences and links written by hand.

A gold entry is the three sentences and their units, "english|deutsch|français": every word of a unit is linked with every
word of the unit's other columns. Several words are joined by "+", the second "the" of a sentence is "the#2", "-" is nothing.
A link is sure, or only possible if "~" stands after one of its words.
"""

import pytest

from course_lib.corpora.grammar import Example
from course_lib.corpora.grammar.meaning import (
    Both,
    Clause,
    Entity,
    Gap,
    Joined,
    Named,
    Place,
    Pronoun,
    Property,
    Speaker,
    Utterance,
    Wh,
)

DOG, CAT, GIRL, MAN, WOMAN, BOY = (Entity(noun) for noun in ("dog", "cat", "girl", "man", "woman", "boy"))
ANIMAL, STREET, RIVER, LION = (Entity(noun) for noun in ("animal", "street", "river", "lion"))
ANNA, TORVIK, TOWN = Named("Anna", "f"), Named("Torvik", "m", title=True), Named("Belmar", "t")
APPLE = Entity("apple", determiner="a")
TREES = Entity("tree", plural=True, determiner="a", adjectives=("old",), modifier="apple")


def say(*parts, **more):
    return Utterance(Clause(*parts, **more))


def ask(question, *parts, **more):
    return Utterance(Clause(*parts, **more), question)


def because(main, antecedent, adjective, tense="past"):
    reason = Clause("be", Pronoun(antecedent), property=Property(adjective, "too"), tense=tense)
    return Utterance(Joined("because", main, reason))


CROSS = Clause("cross", ANIMAL, STREET, tense="past", negated=True)
WADE = Clause("cross", LION, RIVER, tense="past", negated=True)

GOLD = [
    (say("sleep", DOG), "the dog is sleeping .", "der Hund schläft .", "le chien dort .",
     "the|der|le dog|Hund|chien sleeping|schläft|dort is~|schläft|dort~ .|.|."),
    (say("sleep", Entity("dog", plural=True), negated=True, tense="habit"),
     "the dogs do not sleep .", "die Hunde schlafen nicht .", "les chiens ne dorment pas .",
     "the|die|les dogs|Hunde|chiens sleep|schlafen|dorment do~|schlafen|dorment~ not|nicht|pas not|nicht|ne~ .|.|."),
    (say("eat", GIRL, APPLE, tense="past"),
     "the girl ate an apple .", "das Mädchen hat einen Apfel gegessen .", "la fille a mangé une pomme .",
     "the|das|la girl|Mädchen|fille ate~|hat|a ate|gegessen|mangé an|einen|une apple|Apfel|pomme .|.|."),
    (say("eat", GIRL, Entity("apple", determiner="a"), tense="past", negated=True),
     "the girl did not eat an apple .", "das Mädchen hat keinen Apfel gegessen .", "la fille n' a pas mangé de pomme .",
     "the|das|la girl|Mädchen|fille did|hat|a not|keinen|pas not|keinen|n'~ eat|gegessen|mangé an|keinen|de apple|Apfel|pomme .|.|."),
    (say("eat", Speaker(1), Entity("potato", plural=True, determiner="a"), tense="future"),
     "I will eat potatoes .", "ich werde Kartoffeln essen .", "je vais manger des pommes de terre .",
     "I|ich|je will|werde|vais eat|essen|manger potatoes|Kartoffeln|des~ potatoes|Kartoffeln|pommes potatoes|Kartoffeln|de~ potatoes|Kartoffeln|terre~ .|.|."),
    (say("drink", CAT, Entity("water", determiner="a"), negated=True),
     "the cat is not drinking water .", "die Katze trinkt kein Wasser .", "le chat ne boit pas d' eau .",
     "the|die|le cat|Katze|chat drinking|trinkt|boit is~|trinkt|boit~ not|kein|pas not|kein|ne~ -|kein|d' water|kein~|d'~ water|Wasser|eau .|.|."),
    (say("eat", BOY, Entity("egg", plural=True, determiner="a", count=2), tense="past", negated=True),
     "the boy did not eat two eggs .", "der Junge hat nicht zwei Eier gegessen .", "le garçon n' a pas mangé deux œufs .",
     "the|der|le boy|Junge|garçon did|hat|a not|nicht|pas not|nicht|n'~ eat|gegessen|mangé two|zwei|deux eggs|Eier|œufs .|.|."),
    (say("read", MAN, Entity("book", determiner="a"), tense="habit", frequency="often", negated=True),
     "the man does not often read a book .", "der Mann liest nicht oft ein Buch .", "l' homme ne lit pas souvent de livre .",
     "the|der|l' man|Mann|homme does~|liest|lit not|nicht|pas not|nicht|ne~ often|oft|souvent read|liest|lit a|ein|de book|Buch|livre "
     ".|.|."),
    (say("buy", ANNA, Entity("table", determiner="a", adjectives=("new", "round"), modifier="wood"), tense="future"),
     "Anna will buy a new round wooden table .", "Anna wird einen neuen runden Holztisch kaufen .",
     "Anna va acheter une nouvelle table ronde en bois .",
     "Anna|Anna|Anna will|wird|va buy|kaufen|acheter a|einen|une new|neuen|nouvelle round|runden|ronde wooden|Holztisch|bois wooden|Holztisch|en~ "
     "table|Holztisch|table .|.|."),
    (say("drink", CAT, Entity("milk", determiner="a")),
     "the cat is drinking milk .", "die Katze trinkt Milch .", "le chat boit du lait .",
     "the|die|le cat|Katze|chat drinking|trinkt|boit is~|trinkt|boit~ milk|Milch|du~ milk|Milch|lait .|.|."),
    (say("paint_thing", MAN, Entity("chair", determiner="a", adjectives=("old", "red"), modifier="kitchen"), tense="past"),
     "the man painted an old red kitchen chair .", "der Mann hat einen alten roten Küchenstuhl gestrichen .",
     "l' homme a peint une vieille chaise de cuisine rouge .",
     "the|der|l' man|Mann|homme painted~|hat|a painted|gestrichen|peint an|einen|une old|alten|vieille red|roten|rouge "
     "kitchen|Küchenstuhl|cuisine kitchen|Küchenstuhl|de~ chair|Küchenstuhl|chaise .|.|."),
    (say("see", WOMAN, TREES, tense="past"),
     "the woman saw old apple trees .", "die Frau hat alte Apfelbäume gesehen .", "la femme a vu de vieux pommiers .",
     "the|die|la woman|Frau|femme saw~|hat|a saw|gesehen|vu trees|Apfelbäume|de~ old|alte|vieux apple|Apfelbäume|pommiers trees|Apfelbäume|pommiers .|.|."),
    (say("buy", ANNA, Entity("ring", determiner="a", modifier="gold"), tense="past"),
     "Anna bought a gold ring .", "Anna hat einen Goldring gekauft .", "Anna a acheté une bague en or .",
     "Anna|Anna|Anna bought~|hat|a#1 bought|gekauft|acheté a|einen|une gold|Goldring|or gold|Goldring|en~ ring|Goldring|bague .|.|."),
    (say("help", WOMAN, Entity("neighbour_m", owner=None, adjectives=("old",)), tense="past"),
     "the woman helped the old neighbour .", "die Frau hat dem alten Nachbarn geholfen .",
     "la femme a aidé le vieux voisin .",
     "the|die|la woman|Frau|femme helped~|hat|a helped|geholfen|aidé the#2|dem|le old|alten|vieux "
     "neighbour|Nachbarn|voisin .|.|."),
    (say("call", TORVIK, Entity("doctor_m"), tense="habit", frequency="often"),
     "Mr Torvik often calls the doctor .", "Herr Torvik ruft oft den Arzt an .", "monsieur Torvik appelle souvent le médecin .",
     "Mr|Herr|monsieur Torvik|Torvik|Torvik often|oft|souvent calls|ruft|appelle calls|an~|appelle the|den|le doctor|Arzt|médecin .|.|."),
    (say("eat", BOY, APPLE, tense="habit", frequency="never"),
     "the boy never eats an apple .", "der Junge isst nie einen Apfel .", "le garçon ne mange jamais de pomme .",
     "the|der|le boy|Junge|garçon never|nie|jamais never|nie|ne~ eats|isst|mange an|einen|de apple|Apfel|pomme .|.|."),
    (say("give", MAN, Entity("book"), recipient=Entity("child"), tense="past", time="yesterday", time_first=True),
     "yesterday , the man gave the book to the child .", "gestern hat der Mann dem Kind das Buch gegeben .",
     "hier , l' homme a donné le livre à l' enfant .",
     "yesterday|gestern|hier ,|-|, the|der|l' man|Mann|homme gave~|hat|a gave|gegeben|donné the#2|das|le book|Buch|livre "
     "to|dem~|à the#3|dem|l'#2 child|Kind|enfant .|.|."),
    (say("give", WOMAN, Entity("flower", plural=True, determiner="a"), recipient=Entity("king"), tense="past"),
     "the woman gave flowers to the king .", "die Frau hat dem König Blumen gegeben .",
     "la femme a donné des fleurs au roi .",
     "the|die|la woman|Frau|femme gave~|hat|a gave|gegeben|donné flowers|Blumen|des~ flowers|Blumen|fleurs to|dem~|au the#2|dem|au "
     "king|König|roi .|.|."),
    (say("go", Speaker(1, True), place=Place("to", Entity("school")), tense="past"),
     "we went to the school .", "wir sind in die Schule gegangen .", "nous sommes allés à l' école .",
     "we|wir|nous went~|sind|sommes went|gegangen|allés to|in|à the|die|l' school|Schule|école .|.|."),
    (say("go", ANNA, place=Place("to", Entity("station")), tense="past"),
     "Anna went to the station .", "Anna ist zum Bahnhof gegangen .", "Anna est allée à la gare .",
     "Anna|Anna|Anna went~|ist|est went|gegangen|allée to|zum|à the|zum|la station|Bahnhof|gare .|.|."),
    (say("live", TORVIK, place=Place("at", TOWN)), "Mr Torvik lives in Belmar .", "Herr Torvik wohnt in Belmar .",
     "monsieur Torvik habite à Belmar .",
     "Mr|Herr|monsieur Torvik|Torvik|Torvik lives|wohnt|habite in|in|à Belmar|Belmar|Belmar .|.|."),
    (say("play", Both(DOG, ANNA), place=Place("at", Entity("garden"))),
     "the dog and Anna are playing in the garden .", "der Hund und Anna spielen im Garten .",
     "le chien et Anna jouent dans le jardin .",
     "the|der|le dog|Hund|chien and|und|et Anna|Anna|Anna playing|spielen|jouent are~|spielen|jouent~ in|im|dans the#2|im|le#2 "
     "garden|Garten|jardin .|.|."),
    (say("exist", Entity("owl", plural=True, determiner="a", count=5), place=Place("next_to", Entity("wall"))),
     "there are five owls next to the wall .", "neben der Mauer sind fünf Eulen .", "il y a cinq hiboux à côté du mur .",
     "are|sind|a there|-|il there~|sind|a~ there~|-|y~ are|sind|il~ are|sind|y~ five|fünf|cinq owls|Eulen|hiboux next|neben|côté next|neben|à~ next|neben|du~ to~|neben|côté~ to~|neben|à~ to~|neben|du~ the|der|du wall|Mauer|mur .|.|."),
    (say("exist", Entity("dog", determiner="a"), place=Place("at", Entity("kitchen")), negated=True),
     "there is no dog in the kitchen .", "in der Küche ist kein Hund .", "il n' y a pas de chien dans la cuisine .",
     "is|ist|a there|-|il there~|ist|a~ there~|-|y~ is|ist|il~ is|ist|y~ no|kein|pas no|kein|n'~ no|kein|de dog|Hund|chien in|in|dans the|der|la kitchen|Küche|cuisine .|.|."),
    (say("love", GIRL, Entity("dog", owner=Entity("neighbour_m"))),
     "the girl loves the neighbour 's dog .", "das Mädchen liebt den Hund des Nachbarn .", "la fille aime le chien du voisin .",
     "the|das|la girl|Mädchen|fille loves|liebt|aime -|den|le 's|den~|le~ the#2|des|du neighbour|Nachbarn|voisin 's|des~|du dog|Hund|chien "
     ".|.|."),
    (say("wash", ANNA, Entity("car", owner=Pronoun(ANNA)), modal="want", negated=True),
     "Anna does not want to wash her car .", "Anna will ihr Auto nicht waschen .", "Anna ne veut pas laver sa voiture .",
     "Anna|Anna|Anna does~|will|veut not|nicht|pas not|nicht|ne~ want|will|veut to~|will|veut wash|waschen|laver her|ihr|sa "
     "car|Auto|voiture .|.|."),
    (say("find", MAN, Entity("key", owner=Pronoun(MAN)), tense="past", modal="can", negated=True),
     "the man could not find his key .", "der Mann konnte seinen Schlüssel nicht finden .",
     "l' homme n' a pas pu trouver sa clé .",
     "the|der|l' man|Mann|homme could|konnte|pu could~|konnte~|a not|nicht|pas not|nicht|n'~ find|finden|trouver his|seinen|sa key|Schlüssel|clé "
     ".|.|."),
    (say("be", Entity("soup"), property=Property("hot", "very")), "the soup is very hot .", "die Suppe ist sehr heiß .",
     "la soupe est très chaude .", "the|die|la soup|Suppe|soupe is|ist|est very|sehr|très hot|heiß|chaude .|.|."),
    (say("be", Entity("horse"), property=Property("big", "more", Entity("cow"))),
     "the horse is bigger than the cow .", "das Pferd ist größer als die Kuh .", "le cheval est plus grand que la vache .",
     "the|das|le horse|Pferd|cheval is|ist|est bigger|größer|grand bigger|größer|plus~ than|als|que the#2|die|la cow|Kuh|vache .|.|."),
    (say("be", CAT, property=Property("beautiful", "more", DOG)),
     "the cat is more beautiful than the dog .", "die Katze ist schöner als der Hund .",
     "le chat est plus beau que le chien .",
     "the|die|le cat|Katze|chat is|ist|est more|schöner~|plus beautiful|schöner|beau more|-|beau~ beautiful|-|plus~ -|schöner|plus~ "
     "than|als|que the#2|der|le#2 dog|Hund|chien .|.|."),
    (say("love", GIRL, Entity("aunt", owner=ANNA)),
     "the girl loves Anna 's aunt .", "das Mädchen liebt die Tante von Anna .", "la fille aime la tante d' Anna .",
     "the|das|la girl|Mädchen|fille loves|liebt|aime Anna|Anna|Anna 's|von|d' 's|die~|la#2~ -|die|la#2 aunt|Tante|tante .|.|."),
    (say("sing", Entity("woman", relative=Clause("wait_for", Gap(), Entity("bus", determiner="a")))),
     "the woman who is waiting for a bus is singing .", "die Frau , die auf einen Bus wartet , singt .",
     "la femme qui attend un bus chante .",
     "the|die|la woman|Frau|femme who|die#2|qui is~|wartet|attend~ waiting|wartet|attend for|auf|attend~ waiting|auf~|attend for~|wartet|attend~ "
     "a|einen|un bus|Bus|bus singing|singt|chante is#2~|singt|chante~ .|.|."),
    (say("see", MAN, Entity("apple", plural=True, relative=Clause("buy", ANNA, Gap(), tense="past")), tense="past"),
     "the man saw the apples that Anna bought .", "der Mann hat die Äpfel gesehen , die Anna gekauft hat .",
     "l' homme a vu les pommes qu' Anna a achetées .",
     "the|der|l' man|Mann|homme saw~|hat|a saw|gesehen|vu the#2|die|les apples|Äpfel|pommes that|die#2|qu' "
     "Anna|Anna|Anna bought~|hat#2|a#2 bought|gekauft|achetées .|.|."),
    (say("be", Entity("house", relative=Clause("live", BOY, place=Place("at", Gap()))), property=Property("new"), tense="past"),
     "the house where the boy lives was new .", "das Haus , in dem der Junge wohnt , war neu .",
     "la maison où le garçon habite était nouvelle .",
     "the|das|la house|Haus|maison where|dem|où where|in~|où the#2|der|le boy|Junge|garçon lives|wohnt|habite was|war|était "
     "new|neu|nouvelle .|.|."),
    (because(CROSS, ANIMAL, "tired"), "the animal did not cross the street because it was too tired .",
     "das Tier hat die Straße nicht überquert , weil es zu müde war .",
     "l' animal n' a pas traversé la rue parce qu' il était trop fatigué .",
     "the|das|l' animal|Tier|animal did|hat|a not|nicht|pas not|nicht|n'~ cross|überquert|traversé the#2|die|la street|Straße|rue "
     "because|weil|parce because|weil|qu'~ it|es|il was|war|était too|zu|trop tired|müde|fatigué .|.|."),
    (because(CROSS, STREET, "wide"), "the animal did not cross the street because it was too wide .",
     "das Tier hat die Straße nicht überquert , weil sie zu breit war .",
     "l' animal n' a pas traversé la rue parce qu' elle était trop large .",
     "the|das|l' animal|Tier|animal did|hat|a not|nicht|pas not|nicht|n'~ cross|überquert|traversé the#2|die|la street|Straße|rue "
     "because|weil|parce because|weil|qu'~ it|sie|elle was|war|était too|zu|trop wide|breit|large .|.|."),
    (because(WADE, LION, "weak"), "the lion did not cross the river because it was too weak .",
     "der Löwe hat den Fluss nicht überquert , weil er zu schwach war .",
     "le lion n' a pas traversé la rivière parce qu' il était trop faible .",
     "the|der|le lion|Löwe|lion did|hat|a not|nicht|pas not|nicht|n'~ cross|überquert|traversé the#2|den|la river|Fluss|rivière "
     "because|weil|parce because|weil|qu'~ it|er|il was|war|était too|zu|trop weak|schwach|faible .|.|."),
    (say("think", ANNA, content=Clause("be", Entity("shoe", plural=True, determiner="this"), property=Property("expensive"))),
     "Anna thinks that these shoes are expensive .", "Anna glaubt , dass diese Schuhe teuer sind .",
     "Anna pense que ces chaussures sont chères .",
     "Anna|Anna|Anna thinks|glaubt|pense that|dass|que these|diese|ces shoes|Schuhe|chaussures are|sind|sont "
     "expensive|teuer|chères .|.|."),
    (Utterance(Joined("when", Clause("bark", DOG, tense="past"), Clause("arrive", GIRL, tense="past"), second_first=True)),
     "when the girl arrived , the dog barked .", "als das Mädchen angekommen ist , hat der Hund gebellt .",
     "quand la fille est arrivée , le chien a aboyé .",
     "when|als|quand the|das|la girl|Mädchen|fille arrived~|ist|est arrived|angekommen|arrivée ,|,|, the#2|der|le dog|Hund|chien "
     "barked~|hat|a barked|gebellt|aboyé .|.|."),
    (Utterance(Joined("but", Clause("see", MAN, CAT, tense="past"), Clause("hear", WOMAN, Pronoun(CAT), tense="past"))),
     "the man saw the cat , but the woman heard it .", "der Mann hat die Katze gesehen , aber die Frau hat sie gehört .",
     "l' homme a vu le chat , mais la femme l' a entendu .",
     "the|der|l' man|Mann|homme saw~|hat|a saw|gesehen|vu the#2|die|le cat|Katze|chat ,|,|, but|aber|mais the#3|die#2|la "
     "woman|Frau|femme heard~|hat#2|a#2 heard|gehört|entendu it|sie|l'#2 .|.|."),
    (ask("whether", "eat", GIRL, Entity("bread", determiner="a"), tense="past"), "did the girl eat bread ?",
     "hat das Mädchen Brot gegessen ?", "est-ce que la fille a mangé du pain ?",
     "did|hat|a did~|-|est-ce~ did~|-|que~ the|das|la girl|Mädchen|fille eat|gegessen|mangé bread|Brot|du~ bread|Brot|pain ?|?|?"),
    (ask("wh", "eat", Wh("who"), Entity("cake")), "who is eating the cake ?", "wer isst den Kuchen ?",
     "qui mange le gâteau ?", "who|wer|qui eating|isst|mange is~|isst|mange~ the|den|le cake|Kuchen|gâteau ?|?|?"),
    (ask("wh", "help", Speaker(2), Wh("who"), tense="habit"), "who do you help ?", "wem hilfst du ?",
     "qui est-ce que tu aides ?", "who|wem|qui do~|hilfst|aides~ do~|-|est-ce~ do~|-|que~ you|du|tu help|hilfst|aides ?|?|?"),
    (ask("wh", "write", MAN, Wh("what")), "what is the man writing ?", "was schreibt der Mann ?",
     "qu' est-ce que l' homme écrit ?", "what|was|qu' the|der|l' man|Mann|homme writing|schreibt|écrit is~|schreibt|écrit~ is~|-|est-ce is~|-|que ?|?|?"),
    (ask("where", "sleep", Entity("mouse", plural=True)), "where are the mice sleeping ?", "wo schlafen die Mäuse ?",
     "où est-ce que les souris dorment ?",
     "where|wo|où the|die|les mice|Mäuse|souris sleeping|schlafen|dorment are~|schlafen|dorment~ are~|-|est-ce are~|-|que ?|?|?"),
    (ask("why", "cry", Entity("baby"), tense="past"), "why did the baby cry ?", "warum hat das Baby geweint ?",
     "pourquoi est-ce que le bébé a pleuré ?",
     "why|warum|pourquoi did|hat|a did~|-|est-ce~ did~|-|que~ the|das|le baby|Baby|bébé cry|geweint|pleuré ?|?|?"),
]  # fmt: skip


def position(word, tokens):
    text, _, nth = word.partition("#")
    return [i for i, token in enumerate(tokens) if token == text][int(nth or 1) - 1]


def gold_links(units, languages, source, target):
    """The sure and the possible links."""
    sure, possible = set(), set()
    for unit in units.split():
        columns = dict(zip(("en", "de", "fr"), unit.split("|"), strict=True))
        words = {code: [] if column == "-" else column.split("+") for code, column in columns.items()}
        for a in words[source]:
            for b in words[target]:
                link = tuple(position(w.rstrip("~"), languages[c]) for w, c in ((a, source), (b, target)))
                possible.add(link)
                if not (a + b).count("~"):
                    sure.add(link)
    return sure, possible


@pytest.mark.parametrize(("meaning", "en", "de", "fr", "units"), GOLD, ids=[entry[1] for entry in GOLD])
def test_gold(meaning, en, de, fr, units):
    example = Example.of(meaning)
    expected = {"en": en.split(), "de": de.split(), "fr": fr.split()}
    assert {code: list(tokens) for code, tokens in example.sentences.items()} == expected
    for source in expected:
        for target in expected:
            if source != target:
                links = example.alignment(source, target), example.possible(source, target)
                assert links == gold_links(units, expected, source, target)


@pytest.mark.parametrize(
    ("antecedent", "adjective", "pronouns"),
    [
        (ANIMAL, "tired", {"en": (8, 1), "de": (9, 1), "fr": (10, 1)}),
        (STREET, "wide", {"en": (8, 6), "de": (9, 4), "fr": (10, 7)}),
    ],
)
def test_it_stands_for_what_can_be_so(antecedent, adjective, pronouns):
    example = Example.of(because(CROSS, antecedent, adjective))
    assert {code: example.coreference(code) for code in pronouns} == {code: [pair] for code, pair in pronouns.items()}


def test_text_is_written_as_one_writes():
    example = Example.of(ask("wh", "write", MAN, Wh("what")))
    assert [example.text(code) for code in ("en", "de", "fr")] == [
        "What is the man writing?", "Was schreibt der Mann?", "Qu'est-ce que l'homme écrit\u00a0?",
    ]  # fmt: skip
    example = Example.of(
        say("find", Entity("dog", owner=Entity("girl", plural=True)), Entity("bone"), modal="can", negated=True)
    )
    assert example.text("en") == "The girls' dog cannot find the bone."
    assert example.text("de") == "Der Hund der Mädchen kann den Knochen nicht finden."
    assert example.text("fr") == "Le chien des filles ne peut pas trouver l'os."


def test_agreement_reaches_across_a_relative_clause():
    flowers = Entity("flower", plural=True)
    dogs = Entity("dog", plural=True, relative=Clause("see", MAN, Gap()))
    example = Example.of(say("find", dogs, flowers))
    assert " ".join(example.sentences["de"]) == "die Hunde , die der Mann sieht , finden die Blumen ."
    assert example.agreement("de") == [(1, 8, True), (5, 6, False)]


def test_agreement_is_with_the_head_of_several_words():
    rooms = Entity("living_room", plural=True)
    example = Example.of(say("be", rooms, property=Property("dark")))
    assert [example.text("en"), example.agreement("en")] == ["The living rooms are dark.", [(2, 3, True)]]
    waited = Example.of(
        say("wait_for", MAN, Entity("train", True, "a"), place=Place("at", Entity("museum")), tense="past")
    )
    assert waited.text("de") == "Der Mann hat im Museum auf Züge gewartet."
    ran = Example.of(say("run_to", MAN, place=Place("to", Entity("park"))))
    assert ran.text("fr") == "L'homme court jusqu'au parc."
    assert Example.of(say("play_music", MAN, Entity("guitar"))).text("de") == "Der Mann spielt Gitarre."
    assert Example.of(say("see", MAN, Entity("tree", determiner="a", modifier="pear"))).text("de").endswith("Birnbaum.")
    assert Example.of(say("sing", MAN, tense="past", modal="must")).text("fr") == "L'homme a dû chanter."
