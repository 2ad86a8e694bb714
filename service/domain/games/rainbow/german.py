"""The German texts of Tic-Tac-Rainbow."""

from service.domain.presentation import GameTexts, MeasureTexts, OptionTexts, StepTexts

RULES = """\
Zwei oder drei Personen, **Eins**, **Zwei** und **Drei**, setzen, wenden und versetzen zweifarbige Stecker, um Linien
aus dreien zu bilden.

## Die Stecker
Jede Seite hat sieben. Sechs tragen auf ihren beiden Seiten benachbarte Farben des Regenbogens: `RO`, `OY`, `YG`, `GB`,
`BV`, `VR` (rot, orange, gelb, grün, blau, violett). Der siebte, `WK`, ist weiß und schwarz. Weiß zählt als jede
Farbe, Schwarz als keine. Die untere Seite eines Steckers ist nicht geheim. Auf dem Brett steht Ge für Gelb, Gr für Grün
und S für Schwarz.

## Dein Zug
Das Brett hat 21 Felder: fünf mal fünf ohne die Ecken. Tu eines von dreien:

* **setze** einen Stecker, den du noch nicht gesetzt hast, auf ein leeres Feld, mit einer beliebigen Seite nach oben;
  den weiß-schwarzen erst nach deinen sechs farbigen;
* **wende** einen eigenen Stecker auf seinem Feld;
* **versetze** einen eigenen Stecker auf ein beliebiges leeres Feld, ohne ihn zu wenden.

Du darfst nicht aussetzen und keine fremden Stecker berühren, und kein Stecker verlässt das Brett.

## Das Ende
Drei Felder in einer Reihe, die eine Farbe zeigen, sind eine Linie, egal wem die Stecker gehören. Gibt es nach deinem
Zug eine Linie, gewinnst du den Einsatz; zwei Linien zählen nicht mehr als eine.

Linien laufen entlang von Zeilen, Spalten und beiden Arten von Diagonalen. Auf dem sechseckigen Brett, das um 45 Grad
gedreht ist, sind die Diagonalen von oben links nach unten rechts keine Linien.

## Varianten
Ein Raum kann einige davon wählen.

* **Linien verlieren**: Wer eine Linie bildet, verliert. Alle anderen, die noch spielen, teilen sich den ersten Platz.
* **Ruhen**: Ein Stecker, den du gesetzt, gewendet oder versetzt hast, ruht in deinem nächsten Zug oder in den nächsten
  beiden.
* **Würfel**: Jeder Zug beginnt mit dem Wurf einer Farbe. Du darfst nur einen Stecker benutzen, der diese Farbe auf
  einer Seite hat, oder deinen weiß-schwarzen, sobald er gesetzt werden darf. Ruhen alle diese Stecker, ruht in diesem
  Zug keiner.
* **Zu dritt**: Wenn alle 21 Stecker gesetzt sind, kann man nur noch wenden.

## Remis
* **Wiederholung**: Die Partie ist remis, wenn eine Stellung zum dritten Mal vorkommt: dieselben Stecker auf denselben
  Feldern, dieselbe Seite am Zug, dieselben ruhenden Stecker für gleich viele Züge und dieselbe gewürfelte Farbe. Mit
  Würfel ist eine Stellung erst mit dem Wurf vollständig, also beendet der Wurf die Partie. Nach einem Ausscheiden
  beginnt die Zählung neu.
* **Kein Fortschritt**: Die Partie ist remis, wenn 100 Züge lang kein Stecker gesetzt wurde. Ein Raum kann eine andere
  Zahl wählen oder keine. Mit Würfel endet die Partie dann vor dem nächsten Wurf.

Ein Remis teilt den Einsatz gleichmäßig, ebenso ein geteilter erster Platz.

## Aufhören
Wenn du die Partie verlässt, entfallen deine Züge, und du liegst hinter allen, die bleiben. Deine Stecker bleiben
stehen. Niemand darf sie berühren, aber sie zählen in Linien. Wenn nur noch eine Person übrig ist, hat sie gewonnen.
"""

STEPS = (
    StepTexts(
        text=(
            "Deine Stecker haben auf jeder Seite eine Farbe. In einem Zug setzt, wendest oder versetzt du einen. Setze "
            "den rot-orangen Stecker auf C3, mit Rot nach oben."
        ),
        hint="Wähle die rote Hälfte des rot-orangen Steckers, dann das Feld in der Mitte, C3.",
        praise="Die untere Seite ist nicht geheim: Alle sehen, welche Farbe unten liegt.",
    ),
    StepTexts(
        text="Du kannst einen eigenen Stecker auf seinem Feld wenden. Wähle den auf C3, dann Wenden: Er wird orange.",
        hint="Wähle deinen Stecker auf C3 und drücke dann Wenden.",
        praise="Wenden ändert die Farbe sofort. Es kann eine Linie vollenden oder eine zerstören.",
    ),
    StepTexts(
        text=(
            "Du kannst einen eigenen Stecker auch auf ein beliebiges leeres Feld versetzen. Dieselbe Seite bleibt "
            "oben. Versetze ihn von C3 nach C5."
        ),
        hint="Wähle deinen Stecker auf C3, dann das oberste Feld seiner Spalte, C5. Oder zieh ihn dorthin.",
        praise="Stecker verlassen das Brett nie, aber sie kommen weit herum.",
    ),
    StepTexts(
        text=(
            "Drei Felder einer Farbe in einer Reihe gewinnen, egal wem die Stecker gehören. Ein Paar ist also ein "
            "Geschenk! Setze den orange-gelben Stecker auf B4, ohne ein Paar zu bilden."
        ),
        hint="C5 ist orange. Mit Orange auf B4 würde die andere Seite die Linie auf A3 vollenden. Leg Gelb nach oben.",
        praise="Sicher. Der anderen Seite hätte nur ein oranger Stecker auf A3 gefehlt.",
    ),
    StepTexts(
        text=(
            "Die andere Seite hat Gelb auf C3 gesetzt, neben dein gelbes B4: ein Geschenk. Vollende die Linie. Sie "
            "gewinnt, obwohl einer ihrer Stecker nicht deiner ist."
        ),
        hint="Wähle die gelbe Hälfte des gelb-grünen Steckers, dann D2 auf der Diagonale von B4 und C3.",
        praise="Eine gelbe Linie: gewonnen! Weiß, auf dem siebten Stecker, zählt als jede Farbe, Schwarz als keine.",
    ),
)

GERMAN = GameTexts(
    title="Tic-Tac-Rainbow",
    tagline="Stecker mit zwei Seiten. Drei einer Farbe in einer Reihe gewinnen, egal wem sie gehören.",
    summary=(
        "Setze in deinem Zug einen Stecker mit einer Farbe nach oben, wende einen eigenen oder versetze einen.",
        "Drei Felder einer Farbe in einer Reihe sind eine Linie, egal wem die Stecker gehören. Weiß zählt immer mit.",
        "Wer eine Linie bildet, gewinnt.",
    ),
    rules=RULES,
    colours={"one": "Eins", "two": "Zwei", "three": "Drei"},
    options={
        "grid": OptionTexts(title="Linien", values={"square": "Quadratisch", "hex": "Sechseckig"}),
        "misere": OptionTexts(title="Wer eine Linie bildet, verliert"),
        "rest": OptionTexts(
            title="Eigene Züge, bis ein Stecker wieder benutzt werden darf", values={"0": "Keine", "2": "2", "3": "3"}
        ),
        "dice": OptionTexts(title="Ein Würfel bestimmt die Farbe"),
        "players": OptionTexts(title="Personen", values={"2": "2", "3": "3"}),
        "repetition": OptionTexts(title="Dreimal dieselbe Stellung ist remis"),
        "quiet_limit": OptionTexts(title="Züge ohne Fortschritt bis zum Remis, 0 für unbegrenzt"),
    },
    endings={
        "line": "Eine Linie wurde gebildet.",
        "repetition": "Dieselbe Stellung kam zum dritten Mal vor: remis.",
        "quiet_limit": "Zu viele Züge, in denen kein Stecker gesetzt wurde: remis.",
    },
    refusals={
        "peg_on_board": "Dieser Stecker ist schon auf dem Brett.",
        "coloured_pegs_first": "Der weiß-schwarze Stecker darf erst nach allen sechs farbigen gesetzt werden.",
        "no_such_side": "Der Stecker hat keine Seite mit dieser Farbe.",
        "occupied": "Dieser Platz ist nicht leer.",
        "not_your_peg": "Auf diesem Feld hast du keinen Stecker.",
        "same_cell": "Auf diesem Feld ist der Stecker schon; wähle ein anderes.",
        "wrong_colour": "Keine Seite des Steckers hat die gewürfelte Farbe.",
        "peg_rests": "Dieser Stecker wurde gerade erst benutzt und ruht in diesem Zug; wähle einen anderen.",
    },
    measure=MeasureTexts(
        unit="Drohungen",
        meaning="Die Stecker, mit denen jeder Platz am Zug eine Linie bilden könnte, egal was der Würfel zeigt.",
    ),
    steps=STEPS,
)
