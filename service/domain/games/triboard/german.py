"""The German texts of Triboard."""

from service.domain.presentation import GameTexts, MeasureTexts, OptionTexts, StepTexts

RULES = """\
Triboard ist ein Kampf von **Blau**, **Rot** und **Grün**, in dieser Zugfolge, um die Felder eines Bretts mit Mauern.

## Der Anfang

Das Brett hat 16 mal 11 Felder, `a1` liegt unten links. Zwölf Felder jeder Farbe und zwölf Mauern, die sich nie ändern,
werden so ausgelost, dass alle springen können; alle anderen Felder sind leer. Auch wer beginnt, wird ausgelost, wenn
der Raum nicht Blau beginnen lässt. Die Verteilung der Lektion ist immer dieselbe.

## Dein Zug

Wähle ein leeres Feld, von dem aus du springst. Schau von dort in alle acht Richtungen: Du springst über eine lückenlose
Reihe von Feldern **eines** Gegners, hinter der sofort ein eigenes Feld liegt. Das gewählte Feld und alle
übersprungenen, in allen Richtungen zugleich, werden deine. Ein Feld des anderen Gegners, ein leeres Feld, eine Mauer
oder der Rand vor deinem eigenen Feld verhindert den Sprung in dieser Richtung; eine Richtung darf über rote und eine
andere über grüne Felder gehen.

Wenn du nicht springen kannst, wirst du von selbst übergangen.

## Das Ende

Die Partie ist zu Ende, wenn niemand mehr springen kann. Wer die meisten Felder hat, gewinnt; bei gleicher Zahl teilt
man sich den Platz.

Wenn du die Partie verlässt, bleiben deine Felder und können weiter erobert werden, deine Züge entfallen, und du liegst
hinter allen, die bleiben. Wenn nur noch eine Person übrig ist, hat sie gewonnen.
"""

STEPS = (
    StepTexts(
        text=(
            "Du bist Blau. Von einem leeren Feld springst du über eine Reihe eines Gegners zu einem eigenen Feld. Alle "
            "werden blau. Spring über D9 und E9."
        ),
        hint="F9 ist blau, am einen Ende der zwei roten Felder. Wähle das leere Feld am anderen Ende, C9.",
        praise="Drei Felder mehr. Auch das leere Feld, das du gewählt hast, gehört dir.",
    ),
    StepTexts(
        text=(
            "Rot ist von B9 aus über deine ganze Reihe gesprungen. Hol sie zurück: Wähle das Feld, von dem die Reihe "
            "bis zu deinem H9 reicht. Am Rand ist sie sicher."
        ),
        hint="Wähle A9 am Rand des Bretts: Von dort ist die Reihe rot bis G9.",
        praise="Sechs Felder! Rot und Grün können jetzt nirgends springen und werden übergangen.",
    ),
    StepTexts(
        text=(
            "Eine Reihe mit beiden Gegnern ist vor dir sicher. Aber ein Sprung geht in alle Richtungen zugleich: Finde "
            "das Feld, von dem du ein rotes und ein grünes nimmst."
        ),
        hint="Das rote Feld ist K8, das grüne M8. Wähle das Feld dazwischen.",
        praise="Eine Richtung nahm Rot, die andere Grün.",
    ),
    StepTexts(
        text=(
            "Graue Felder sind Mauern. Niemand springt darüber: Von C5 aus schützt die Mauer auf E5 das grüne Feld D5. "
            "Nimm D5 von einer anderen Seite."
        ),
        hint="Dein D4 liegt auf einer Seite von D5. Wähle das leere Feld auf der anderen, D6.",
        praise="Eine Mauer schützt nur auf einer Seite. Die anderen sieben Richtungen zählen auch.",
    ),
    StepTexts(
        text=(
            "Die Partie endet, wenn niemand springen kann; die meisten Felder gewinnen. Mach den letzten Sprung: Von "
            "einem Feld nimmst du vier rote, in drei Richtungen."
        ),
        hint="Am Rand liegt I1 zwischen den roten Feldern H1 und J1, und auch I2 daneben ist rot.",
        praise="Niemand kann mehr springen, und du hast die meisten Felder: Du hast gewonnen.",
    ),
)

GERMAN = GameTexts(
    title="Triboard",
    tagline="Spring über ganze Reihen und erobere sie, zwischen Mauern.",
    summary=(
        "Wähle ein leeres Feld, von dem aus du über eine Reihe eines Gegners zu einem eigenen Feld springen kannst.",
        "Dieses Feld und alle übersprungenen werden deine. Mauern und Lücken verhindern einen Sprung.",
        "Wenn niemand mehr springen kann, gewinnen die meisten Felder.",
    ),
    rules=RULES,
    colours={"blue": "Blau", "red": "Rot", "green": "Grün"},
    options={
        "first": OptionTexts(title="Wer beginnt", values={"random": "Wird ausgelost", "blue": "Blau"}),
        "start": OptionTexts(title="Verteilung", values={"random": "Wird ausgelost", "lesson": "Wie in der Lektion"}),
    },
    endings={"most_cells": "Niemand kann springen: Die meisten Felder gewinnen."},
    refusals={
        "occupied": "Dieser Platz ist nicht leer.",
        "captures_nothing": "Von diesem Feld aus wird in keiner Richtung etwas erobert.",
    },
    measure=MeasureTexts(unit="Felder", meaning="Die Felder, die jedem Platz gehören."),
    steps=STEPS,
)
