"""The German texts of Nine Men's Morris."""

from service.domain.presentation import GameTexts, MeasureTexts, OptionTexts, StepTexts

RULES = """\
Mühle: **Weiß** und **Schwarz** haben je neun Steine und versuchen, drei davon in eine Linie zu bringen.

## Das Brett
Es hat 24 Punkte auf drei Quadraten, die ineinander liegen. Linien laufen entlang der Seiten der Quadrate und verbinden
die Mitten der Seiten; jede der 16 Linien hat drei Punkte.

## Wer beginnt
Weiß beginnt. Ein Raum kann stattdessen würfeln lassen: Die höhere Zahl beginnt, bei gleichen Zahlen wird noch einmal
gewürfelt.

## Setzen
Abwechselnd setzt jede Seite einen Stein aus der Hand auf einen leeren Punkt. Kein Stein zieht, bevor alle achtzehn
gesetzt sind.

## Ziehen
Danach zieht man einen Stein entlang einer Linie zum nächsten Punkt, der leer sein muss. Steine springen nicht, und man
darf nicht aussetzen.

## Springen
Sobald eine Seite nur noch drei Steine hat, auf dem Brett und in der Hand, dürfen die Steine beider Seiten stattdessen
auf jeden leeren Punkt springen. In manchen Räumen springt nur die Seite mit drei Steinen, oder niemand.

## Mühlen
Drei Steine einer Farbe auf einer Linie sind eine Mühle. Wer eine schließt, durch Setzen oder Ziehen, schlägt noch in
diesem Zug einen gegnerischen Stein auf dem Brett. Eine Mühle darf geöffnet und wieder geschlossen werden, und ein Stein
darf direkt von einer Mühle in eine andere ziehen: Es zählt jedes Mal.

* Ein Stein in einer Mühle ist geschützt. Sind alle gegnerischen Steine in Mühlen, wird keiner geschlagen. Ein Raum kann
  bestimmen, dass eine Seite mit drei Steinen auch dann einen verliert, oder dass jeder Stein geschlagen werden darf.
* Wer mit einem Stein zwei Mühlen schließt, schlägt zwei Steine, in manchen Räumen nur einen. Vor dem zweiten wird neu
  geprüft, welche Steine geschützt sind. Kann keiner geschlagen werden, verfällt das Recht.

## Das Ende
* Wer weniger als drei Steine hat, auf dem Brett und in der Hand, hat verloren, auch wenn noch ein Stein zu schlagen
  wäre.
* Wer am Zug ist und nicht ziehen kann, hat verloren.
* Kommt eine Stellung zum dritten Mal vor, mit derselben Seite am Zug, ist die Partie remis.
* Wird 100 Züge lang kein Stein gesetzt oder geschlagen, ist die Partie remis. Ein Raum kann eine andere Zahl wählen
  oder keine, und das Remis durch Wiederholung abschalten.
"""

STEPS = (
    StepTexts(
        text=(
            "Du bist Weiß. Zuerst setzen beide abwechselnd neun Steine auf leere Punkte. Eine Kreuzung hat die meisten "
            "Nachbarn: Setze einen Stein auf D6."
        ),
        hint="D6 liegt in der Mitte der oberen Seite des zweiten Quadrats.",
        praise="Gut. Von D6 aus kann ein Stein später in vier Richtungen ziehen.",
    ),
    StepTexts(
        text=(
            "Drei Steine auf einer Linie sind eine Mühle. Schließe die Mühle auf der obersten Linie; dann darfst du "
            "einen schwarzen Stein schlagen. Nimm den auf E4."
        ),
        hint="Setze einen Stein auf D7, zwischen deine zwei. Wähle dann den schwarzen Stein auf E4.",
        praise="Eine Mühle, und Schwarz hat einen Stein verloren. Steine in Mühlen sind vor dem Schlagen sicher.",
    ),
    StepTexts(
        text="Vorsicht: Schwarz hat zwei Steine auf einer Linie und will eine Mühle schließen. Verhindere es.",
        hint="Die schwarzen Steine stehen auf F2 und F4. Der dritte Punkt ihrer Linie ist F6.",
        praise="Blockiert! Und auf der Linie B6 bis F6 hast du jetzt selbst zwei.",
    ),
    StepTexts(
        text=(
            "Alle Steine sind gesetzt; jetzt ziehen sie entlang der Linien zum nächsten leeren Punkt. Zieh so, dass "
            "eine Mühle schließt, und schlag den Stein auf F4."
        ),
        hint="Wähle den Stein auf D7, dann D6 zwischen B6 und F6. Wähle danach den schwarzen auf F4.",
        praise="Derselbe Stein kann nach D7 zurück und die andere Mühle schließen: in jedem Zug ein Stein!",
    ),
    StepTexts(
        text=(
            "So ging es weiter, und Schwarz hat noch drei Steine. Mit nur zwei Steinen ist die Partie verloren. "
            "Schließe noch eine Mühle und schlag einen beliebigen Stein."
        ),
        hint="Zieh den Stein von D7 nach D6. Wähle dann einen der schwarzen Steine.",
        praise="Gewonnen! Nach den üblichen Regeln dürfen Steine springen, sobald jemand nur noch drei hat.",
    ),
)

GERMAN = GameTexts(
    title="Mühle",
    tagline="Drei in einer Linie schlagen einen Stein. Älter als Schach.",
    summary=(
        "Setzt zuerst abwechselnd eure neun Steine, dann zieht sie entlang der Linien zum nächsten Punkt.",
        "Drei eigene Steine auf einer Linie sind eine Mühle: Sie schlägt einen gegnerischen Stein.",
        "Wer weniger als drei Steine hat oder nicht ziehen kann, hat verloren.",
    ),
    rules=RULES,
    colours={"white": "Weiß", "black": "Schwarz"},
    options={
        "first": OptionTexts(title="Wer beginnt", values={"seat0": "Weiß", "roll": "Wer die höhere Zahl würfelt"}),
        "flying": OptionTexts(
            title="Wer mit drei Steinen springen darf",
            values={
                "both": "Beide, sobald eine Seite drei hat",
                "reduced": "Nur die Seite mit drei Steinen",
                "off": "Niemand",
            },
        ),
        "all_in_mills": OptionTexts(
            title="Wenn alle Steine in Mühlen sind",
            values={
                "none": "Kein Stein wird geschlagen",
                "three": "Nur wer noch drei hat, verliert einen",
                "any": "Jeder Stein darf geschlagen werden",
            },
        ),
        "double_mill": OptionTexts(title="Zwei Mühlen zugleich schlagen", values={"two": "Zwei", "one": "Einen"}),
        "repetition": OptionTexts(title="Dreimal dieselbe Stellung ist remis"),
        "quiet_limit": OptionTexts(title="Züge ohne Fortschritt bis zum Remis, 0 für unbegrenzt"),
    },
    endings={
        "too_few_men": "Eine Seite hat nur noch zwei Steine und hat verloren.",
        "no_legal_move": "Eine Seite kann nicht ziehen und hat verloren.",
        "repetition": "Dieselbe Stellung kam zum dritten Mal vor: remis.",
        "quiet_limit": "Zu viele Züge, in denen kein Stein gesetzt oder geschlagen wurde: remis.",
    },
    refusals={
        "removal_owed": "Du hast eine Mühle geschlossen: Schlag zuerst einen gegnerischen Stein.",
        "nothing_to_remove": "Du hast gerade keine Mühle geschlossen und darfst keinen Stein schlagen.",
        "no_men_in_hand": "Du hast keinen Stein in der Hand; zieh mit einem auf dem Brett.",
        "men_in_hand": "Bevor Steine ziehen, müssen alle gesetzt sein; setze einen aus der Hand.",
        "occupied": "Dieser Platz ist nicht leer.",
        "not_your_man": "Auf diesem Punkt hast du keinen Stein.",
        "same_point": "Auf diesem Punkt steht der Stein schon; wähle einen anderen.",
        "not_adjacent": "Du darfst nicht springen: Ein Stein zieht entlang einer Linie nur zum nächsten Punkt.",
        "not_an_opponents_man": "Auf diesem Punkt steht kein gegnerischer Stein.",
        "protected_by_mill": "Ein Stein in einer Mühle ist geschützt; wähle einen, der in keiner ist.",
    },
    measure=MeasureTexts(unit="Steine", meaning="Die Steine jeder Seite, auf dem Brett und in der Hand."),
    steps=STEPS,
)
