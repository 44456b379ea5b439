# ruff: noqa: E501 (tables are read by the row)
"""Morphology against forms listed by hand."""

import pytest

from course_lib.corpora.grammar import de_forms, en, en_forms, fr_forms
from course_lib.corpora.grammar.lexicon import VERBS
from course_lib.corpora.grammar.meaning import Entity


@pytest.mark.parametrize(
    ("concept", "third", "past", "progressive"),
    [
        ("go", "goes", "went", "going"),
        ("cry", "cries", "cried", "crying"),
        ("play", "plays", "played", "playing"),
        ("watch", "watches", "watched", "watching"),
        ("have", "has", "had", "having"),
        ("swim", "swims", "swam", "swimming"),
        ("cut", "cuts", "cut", "cutting"),
        ("dance", "dances", "danced", "dancing"),
        ("carry", "carries", "carried", "carrying"),
        ("wash", "washes", "washed", "washing"),
    ],
)
def test_english_verbs(concept, third, past, progressive):
    forms = en_forms.verb_forms(concept)
    assert (forms["third"], forms["past"], forms["progressive"]) == (third, past, progressive)


@pytest.mark.parametrize(
    ("concept", "plural"),
    [("child", "children"), ("mouse", "mice"), ("knife", "knives"), ("strawberry", "strawberries"), ("bus", "buses"),
     ("bench", "benches"), ("sheep", "sheep"), ("donkey", "donkeys"), ("box", "boxes"), ("potato", "potatoes"),
     ("policeman", "policemen"), ("key", "keys"), ("church", "churches"), ("thief_m", "thieves")],
)  # fmt: skip
def test_english_plurals(concept, plural):
    assert en_forms.noun_forms(concept)[1] == plural


@pytest.mark.parametrize(
    ("concept", "comparative"),
    [("big", "bigger"), ("old", "older"), ("heavy", "heavier"), ("wide", "wider"), ("beautiful", "more beautiful"),
     ("expensive", "more expensive"), ("good", "better"), ("clever", "cleverer"), ("curious", "more curious"), ("fast", "faster")],
)  # fmt: skip
def test_english_comparatives(concept, comparative):
    assert en_forms.adjective(concept, "more") == comparative


@pytest.mark.parametrize(
    ("noun", "article"),
    [(Entity("apple", determiner="a"), "an"), (Entity("dog", determiner="a", adjectives=("old",)), "an"),
     (Entity("apple", determiner="a", adjectives=("red",)), "a"), (Entity("owl", determiner="a"), "an")],
)  # fmt: skip
def test_a_and_an(noun, article):
    assert en.entity(noun)[0][0] == article


@pytest.mark.parametrize(
    ("concept", "singular", "plural"),
    [
        ("man", "Mann Mann Mann Mannes", "Männer Männer Männern Männer"),
        ("woman", "Frau Frau Frau Frau", "Frauen Frauen Frauen Frauen"),
        ("child", "Kind Kind Kind Kindes", "Kinder Kinder Kindern Kinder"),
        ("girl", "Mädchen Mädchen Mädchen Mädchens", "Mädchen Mädchen Mädchen Mädchen"),
        ("boy", "Junge Jungen Jungen Jungen", "Jungen Jungen Jungen Jungen"),
        ("neighbour_m", "Nachbar Nachbarn Nachbarn Nachbarn", "Nachbarn Nachbarn Nachbarn Nachbarn"),
        ("teacher_m", "Lehrer Lehrer Lehrer Lehrers", "Lehrer Lehrer Lehrern Lehrer"),
        ("teacher_f", "Lehrerin Lehrerin Lehrerin Lehrerin", "Lehrerinnen Lehrerinnen Lehrerinnen Lehrerinnen"),
        ("bear", "Bär Bären Bären Bären", "Bären Bären Bären Bären"),
        ("house", "Haus Haus Haus Hauses", "Häuser Häuser Häusern Häuser"),
        ("car", "Auto Auto Auto Autos", "Autos Autos Autos Autos"),
        ("apple", "Apfel Apfel Apfel Apfels", "Äpfel Äpfel Äpfeln Äpfel"),
        ("lake", "See See See Sees", "Seen Seen Seen Seen"),
        ("king", "König König König Königs", "Könige Könige Königen Könige"),
    ],
)
def test_german_nouns(concept, singular, plural):
    assert [de_forms.noun(concept, False, case) for case in range(4)] == singular.split()
    assert [de_forms.noun(concept, True, case) for case in range(4)] == plural.split()


# the article and "gut" in nominative, accusative, dative, genitive: masculine, feminine, neuter, plural
PARADIGMS = {
    ("d", "weak"): "der gute/den guten/dem guten/des guten die gute/die gute/der guten/der guten "
    "das gute/das gute/dem guten/des guten die guten/die guten/den guten/der guten",
    (
        "kein",
        "mixed",
    ): "kein guter/keinen guten/keinem guten/keines guten keine gute/keine gute/keiner guten/keiner guten "
    "kein gutes/kein gutes/keinem guten/keines guten keine guten/keine guten/keinen guten/keiner guten",
    (
        "dies",
        "weak",
    ): "dieser gute/diesen guten/diesem guten/dieses guten diese gute/diese gute/dieser guten/dieser guten "
    "dieses gute/dieses gute/diesem guten/dieses guten diese guten/diese guten/diesen guten/dieser guten",
    ("", "strong"): "guter/guten/gutem/guten gute/gute/guter/guter gutes/gutes/gutem/guten gute/gute/guten/guter",
}


@pytest.mark.parametrize(("kind", "table"), PARADIGMS.items())
def test_german_articles_and_adjective_endings(kind, table):
    article, declension = kind
    cells = [
        f"{de_forms.determiner(article, gender, case) if article else ''} "
        f"{de_forms.adjective('good', de_forms.ending(declension, gender, case))}".strip()
        for gender in "mfnp"
        for case in range(4)
    ]
    groups = table.replace("/", "\n").replace(" ", "_")
    words = [cell for part in groups.split("\n") for cell in part.split("_")]
    assert " ".join(cells).split() == words


@pytest.mark.parametrize(
    ("concept", "forms"),
    [("high", "hohe höher"), ("expensive", "teure teurer"), ("dark", "dunkle dunkler"), ("tired", "müde müder"),
     ("big", "große größer"), ("old", "alte älter"), ("good", "gute besser"), ("broken", "kaputte kaputter"),
     ("young", "junge jünger"), ("long", "lange länger"), ("strong", "starke stärker"), ("heavy", "schwere schwerer")],
)  # fmt: skip
def test_german_adjective_stems_and_comparatives(concept, forms):
    assert f"{de_forms.adjective(concept, 'e')} {de_forms.adjective(concept, degree='more')}" == forms


@pytest.mark.parametrize(
    ("concept", "present", "participle", "auxiliary"),
    [
        ("eat", "esse isst isst essen essen", "gegessen", "haben"),
        ("sleep", "schlafe schläfst schläft schlafen schlafen", "geschlafen", "haben"),
        ("read", "lese liest liest lesen lesen", "gelesen", "haben"),
        ("work", "arbeite arbeitest arbeitet arbeiten arbeiten", "gearbeitet", "haben"),
        ("open", "öffne öffnest öffnet öffnen öffnen", "geöffnet", "haben"),
        ("draw", "zeichne zeichnest zeichnet zeichnen zeichnen", "gezeichnet", "haben"),
        ("smile", "lächle lächelst lächelt lächeln lächeln", "gelächelt", "haben"),
        ("climb_onto", "klettere kletterst klettert klettern klettern", "geklettert", "sein"),
        ("call", "rufe rufst ruft rufen rufen", "angerufen", "haben"),
        ("come_back", "kehre kehrst kehrt kehren kehren", "zurückgekehrt", "sein"),
        ("prepare", "bereite bereitest bereitet bereiten bereiten", "zubereitet", "haben"),
        ("sell", "verkaufe verkaufst verkauft verkaufen verkaufen", "verkauft", "haben"),
        ("repair", "repariere reparierst repariert reparieren reparieren", "repariert", "haben"),
        ("cross", "überquere überquerst überquert überqueren überqueren", "überquert", "haben"),
        ("bark", "belle bellst bellt bellen bellen", "gebellt", "haben"),
        ("know_that", "weiß weißt weiß wissen wissen", "gewusst", "haben"),
        ("dance", "tanze tanzt tanzt tanzen tanzen", "getanzt", "haben"),
        ("hold", "halte hältst hält halten halten", "gehalten", "haben"),
        ("find", "finde findest findet finden finden", "gefunden", "haben"),
        ("follow", "folge folgst folgt folgen folgen", "gefolgt", "sein"),
    ],
)
def test_german_verbs(concept, present, participle, auxiliary):
    persons = [(1, False), (2, False), (3, False), (1, True), (3, True)]
    assert [de_forms.finite(concept, *person) for person in persons] == present.split()
    assert (de_forms.verb_forms(concept).participle, de_forms.verb_forms(concept).auxiliary) == (participle, auxiliary)


def test_german_preterites():
    forms = [
        de_forms.finite(verb, 3, plural, True) for verb in ("be", "have", "live", "können") for plural in (False, True)
    ]
    assert forms == ["war", "waren", "hatte", "hatten", "wohnte", "wohnten", "konnte", "konnten"]
    assert de_forms.finite("love", 2, False, True) == "liebtest"


@pytest.mark.parametrize(
    ("concept", "forms"),
    [
        ("beautiful", "beau beaux belle belles"),
        ("new", "nouveau nouveaux nouvelle nouvelles"),
        ("old", "vieux vieux vieille vieilles"),
        ("white", "blanc blancs blanche blanches"),
        ("happy", "heureux heureux heureuse heureuses"),
        ("expensive", "cher chers chère chères"),
        ("red", "rouge rouges rouge rouges"),
        ("grey", "gris gris grise grises"),
        ("big", "grand grands grande grandes"),
        ("good", "bon bons bonne bonnes"),
        ("light", "léger légers légère légères"),
        ("curious", "curieux curieux curieuse curieuses"),
        ("tired", "fatigué fatigués fatiguée fatiguées"),
        ("long", "long longs longue longues"),
    ],
)
def test_french_adjectives(concept, forms):
    table = [fr_forms.adjective(concept, gender, plural)[0] for gender in "mf" for plural in (False, True)]
    assert table == forms.split()


@pytest.mark.parametrize(
    ("concept", "plural"),
    [("horse", "chevaux"), ("castle", "châteaux"), ("nut", "noix"), ("mouse", "souris"), ("potato", "pommes_de_terre"),
     ("newspaper", "journaux"), ("owl", "*hiboux"), ("bus", "bus"), ("dog", "chiens"), ("bathroom", "salles_de_bains"),
     ("grandmother", "grands-mères"), ("boat", "bateaux"), ("hospital", "hôpitaux"), ("animal", "animaux")],
)  # fmt: skip
def test_french_plurals(concept, plural):
    assert fr_forms.noun_forms(concept).plural.removeprefix("*") == plural.removeprefix("*")


@pytest.mark.parametrize(
    ("infinitive", "present", "imperfect", "participle"),
    [
        ("manger", "mange manges mange mangeons mangent", "mangeais mangeais mangeait mangions mangeaient", "mangé"),
        ("lancer", "lance lances lance lançons lancent", "lançais lançais lançait lancions lançaient", "lancé"),
        ("finir", "finis finis finit finissons finissent", "finissais finissais finissait finissions finissaient", "fini"),
        ("vendre", "vends vends vend vendons vendent", "vendais vendais vendait vendions vendaient", "vendu"),
        ("être", "suis es est sommes sont", "étais étais était étions étaient", "été"),
        ("avoir", "ai as a avons ont", "avais avais avait avions avaient", "eu"),
        ("acheter", "achète achètes achète achetons achètent", "achetais achetais achetait achetions achetaient", "acheté"),
        ("appeler", "appelle appelles appelle appelons appellent", "appelais appelais appelait appelions appelaient", "appelé"),
        ("espérer", "espère espères espère espérons espèrent", "espérais espérais espérait espérions espéraient", "espéré"),
        ("nettoyer", "nettoie nettoies nettoie nettoyons nettoient", "nettoyais nettoyais nettoyait nettoyions nettoyaient",
         "nettoyé"),
        ("boire", "bois bois boit buvons boivent", "buvais buvais buvait buvions buvaient", "bu"),
        ("voir", "vois vois voit voyons voient", "voyais voyais voyait voyions voyaient", "vu"),
        ("attendre", "attends attends attend attendons attendent", "attendais attendais attendait attendions attendaient",
         "attendu"),
        ("connaître", "connais connais connaît connaissons connaissent",
         "connaissais connaissais connaissait connaissions connaissaient", "connu"),
        ("peindre", "peins peins peint peignons peignent", "peignais peignais peignait peignions peignaient", "peint"),
    ],
)  # fmt: skip
def test_french_verbs(infinitive, present, imperfect, participle):
    persons = [(1, False), (2, False), (3, False), (1, True), (3, True)]
    assert [fr_forms.finite(infinitive, *person) for person in persons] == present.split()
    assert [fr_forms.finite(infinitive, *person, True) for person in persons] == imperfect.split()
    assert fr_forms.participle(infinitive) == participle


def test_french_participles_agree():
    assert [fr_forms.participle(v, "f", True) for v in ("manger", "écrire", "lire")] == ["mangées", "écrites", "lues"]


@pytest.mark.parametrize(
    ("words", "joined"),
    [
        ("le ami", "l' ami"), ("la eau", "l' eau"), ("de le homme", "de l' homme"), ("de le chien", "du chien"),
        ("à les écoles", "aux écoles"), ("de les hommes", "des hommes"), ("le *hibou", "le hibou"), ("à le *hérisson", "au hérisson"),
        ("ce arbre", "cet arbre"), ("sa amie", "son amie"), ("que il ne a pas", "qu' il n' a pas"), ("il ne y a", "il n' y a"),
        ("de Anna", "d' Anna"), ("je ne aime", "je n' aime"), ("la vieille amie", "la vieille amie"), ("de *onze", "de onze"), ("la *haute colline", "la haute colline"),
    ],
)  # fmt: skip
def test_french_elision_and_contraction(words, joined):
    assert " ".join(word for word, _ in fr_forms.join([(word, ()) for word in words.split()])) == joined


def test_french_auxiliaries():
    etre = {"go", "arrive", "stay", "come_back", "fall", "leave_off"}
    assert {verb for verb in VERBS if fr_forms.verb_forms(verb).auxiliary == "être"} == etre


def test_german_auxiliaries():
    sein = {"run", "run_to", "swim", "fly", "stay", "arrive", "go", "come_back", "climb_onto", "jump_over", "follow"}
    sein |= {"travel", "jump", "fall", "disappear", "leave_off"}
    assert {verb for verb in VERBS if de_forms.verb_forms(verb).auxiliary == "sein"} == sein
