"""Everyday scenes: sentences of our own, English and German, for models that know picture captions.

Multi30k has none of the English ones: `python -m course_lib.checkpoints multi30k` refuses a text that has.
"""

EVERYDAY = (
    (
        "A man in a red shirt is riding a bicycle down the street.",
        "Ein Mann in einem roten Hemd fährt mit dem Fahrrad die Straße entlang.",
    ),
    ("Two dogs are playing with a ball in the snow.", "Zwei Hunde spielen im Schnee mit einem Ball."),
    ("A little girl in a yellow dress is reading a book.", "Ein kleines Mädchen in einem gelben Kleid liest ein Buch."),
    ("An old woman is selling fruit at a market.", "Eine alte Frau verkauft Obst auf einem Markt."),
    ("Three children are jumping into a swimming pool.", "Drei Kinder springen in ein Schwimmbecken."),
    ("A young man is playing the guitar on a stage.", "Ein junger Mann spielt auf einer Bühne Gitarre."),
    ("A brown dog is running across a green field.", "Ein brauner Hund läuft über eine grüne Wiese."),
    ("People are waiting for a train at the station.", "Leute warten am Bahnhof auf einen Zug."),
    ("A woman with long hair is drinking a cup of coffee.", "Eine Frau mit langen Haaren trinkt eine Tasse Kaffee."),
    ("Two boys are playing football on the beach.", "Zwei Jungen spielen am Strand Fußball."),
    ("A man in a blue jacket is climbing a mountain.", "Ein Mann in einer blauen Jacke klettert auf einen Berg."),
    ("A group of friends is sitting around a table.", "Eine Gruppe von Freunden sitzt um einen Tisch."),
    ("A cat is sleeping on a wooden bench.", "Eine Katze schläft auf einer Holzbank."),
    ("A baker is taking bread out of the oven.", "Ein Bäcker nimmt Brot aus dem Ofen."),
    ("A boy in a white shirt is throwing a ball.", "Ein Junge in einem weißen Hemd wirft einen Ball."),
    ("Two women are dancing in front of a crowd.", "Zwei Frauen tanzen vor einer Menschenmenge."),
    ("A worker with a helmet is repairing a roof.", "Ein Arbeiter mit einem Helm repariert ein Dach."),
    ("A girl is holding a red balloon in her hand.", "Ein Mädchen hält einen roten Luftballon in der Hand."),
    ("A black horse is standing behind a fence.", "Ein schwarzes Pferd steht hinter einem Zaun."),
    ("A family is having a picnic in the park.", "Eine Familie macht ein Picknick im Park."),
)
