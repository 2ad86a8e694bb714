"""The German texts of Ternio."""

from service.domain.presentation import GameTexts, MeasureTexts, OptionTexts, StepTexts

RULES = """\
Ternio ist Reversi zu dritt: **Rot**, **Grün** und **Blau** ziehen in dieser Reihenfolge, Rot beginnt.

## Der Anfang

Das Brett hat 9 mal 9 Felder, `a1` liegt unten links. Neun Steine, drei von jeder Farbe, liegen auf `d4` bis `f6`. Ein
Raum kann eine andere Verteilung dieser neun wählen.

## Dein Zug

Lege einen Stein auf ein leeres Feld, von dem aus du etwas eroberst. Schau von dort in alle acht Richtungen: Eine
lückenlose Reihe von Steinen **eines** Gegners, hinter der sofort ein eigener Stein liegt, wechselt zu deiner Farbe.
Steine beider Gegner in einer Reihe schützen einander: In dieser Richtung dreht sich nichts um. Alle Richtungen gelten
gleichzeitig; eine darf rote und eine andere blaue Steine erobern.

Wenn du nichts erobern kannst, wirst du von selbst übergangen.

## Das Ende

Die Partie ist zu Ende, wenn niemand mehr ziehen kann, spätestens wenn das Brett voll ist. Wer die meisten Steine hat,
gewinnt; bei gleicher Zahl teilt man sich den Platz.

Wenn du die Partie verlässt, bleiben deine Steine liegen und können weiter erobert werden, deine Züge entfallen, und du
liegst hinter allen, die bleiben. Wenn nur noch eine Person übrig ist, hat sie gewonnen.
"""

STEPS = (
    StepTexts(
        text=(
            "Du bist Rot. Ein Stein erobert, was in gerader Linie zwischen ihm und einem anderen roten liegt. Erobere "
            "den blauen Stein auf D6: Dahinter wartet ein roter auf E5."
        ),
        hint="Schau von E5 über D6 zum nächsten Feld: Das ist C7.",
        praise="Der blaue Stein ist jetzt rot. Jeder Stein, den du legst, muss etwas erobern.",
    ),
    StepTexts(
        text=(
            "Ein Stein erobert in alle Richtungen zugleich. Finde das Feld, von dem aus du in einer Richtung einen "
            "blauen und in einer anderen einen grünen eroberst."
        ),
        hint="Schau von C5 nach oben zu C7 und nach rechts zu E5: An beiden Enden wartet ein roter Stein.",
        praise="Zwei auf einmal! Grün kann jetzt nichts erobern und wird deshalb übergangen.",
    ),
    StepTexts(
        text=(
            "C4 ist blau, D4 grün. In einer Reihe schützen sie einander: Von B4 aus dreht sich nichts um. Finde das "
            "Feld, von dem aus du trotzdem beide eroberst."
        ),
        hint="Unter ihnen liegt C3: C4 ist gerade darüber, D4 auf der Diagonale.",
        praise="Gut gesehen. Eine Reihe aus zwei Farben dreht sich nie um, eine aus einer Farbe schon.",
    ),
    StepTexts(
        text="Suche den Zug, der die meisten Steine umdreht. Von einem Feld aus eroberst du vier.",
        hint="Die Reihe D6 bis F6 ist ganz blau. Schließe sie rechts ab, auf G6.",
        praise="Drei in der Reihe und einer auf der Diagonale. Auf lange Reihen einer Farbe lohnt es sich zu warten.",
    ),
    StepTexts(
        text=(
            "Die Partie endet, wenn niemand erobern kann; die meisten Steine gewinnen. Blau hat noch sechs, und ein "
            "Zug nimmt sie alle. Wo?"
        ),
        hint="Schließe die blaue Reihe B5 bis F5 links ab, am Rand des Bretts.",
        praise="Alle Steine sind rot, und niemand kann ziehen: Du hast gewonnen.",
    ),
)

GERMAN = GameTexts(
    title="Ternio",
    tagline="Reversi zu dritt. Reihen einer Farbe drehen sich um, gemischte nicht.",
    summary=(
        "Lege einen Stein so, dass eine Reihe eines Gegners zwischen zwei eigenen liegt: Die Reihe dreht sich um.",
        "Eine Reihe, in der beide Gegner vorkommen, dreht sich nicht um.",
        "Wenn niemand mehr ziehen kann, gewinnen die meisten Steine.",
    ),
    rules=RULES,
    colours={"red": "Rot", "green": "Grün", "blue": "Blau"},
    options={
        "start": OptionTexts(
            title="Die ersten neun Steine",
            values={"even": "Ausgewogen", "first": "Ursprünglich", "latin": "Lateinisches Quadrat"},
        ),
    },
    endings={"most_discs": "Niemand kann ziehen: Die meisten Steine gewinnen."},
    refusals={
        "occupied": "Dieser Platz ist nicht leer.",
        "captures_nothing": "Von diesem Feld aus wird in keiner Richtung etwas erobert.",
    },
    measure=MeasureTexts(unit="Steine", meaning="Die Steine jedes Platzes auf dem Brett."),
    steps=STEPS,
)
