"""The German texts of Turncoat."""

from service.domain.presentation import GameTexts, MeasureTexts, OptionTexts, StepTexts

RULES = """\
Mach dein Brett ganz schwarz, bevor es die andere Seite schafft; jedes Feld, das du wählst, wird auf beiden Brettern
umgedreht.

Zwei Seiten spielen, Rot und Gelb. Jede hat ein Brett mit 8 x 8 Feldern, `a1` unten links, und versucht, alle ihre
Steine auf Schwarz zu drehen. Steine sind auf einer Seite schwarz und auf der anderen weiß; sie werden nur umgedreht,
nie hinzugefügt, entfernt oder bewegt.

## Die Verteilung

Beide Bretter beginnen gleich: Zwei bis sechs ausgeloste Felder zeigen Schwarz, bis zu drei sind Lücken, alle anderen
zeigen Weiß. Nur die Verteilung der Lektion ist immer dieselbe: Die meisten Felder sind schon schwarz.

## Eine Runde

1. Jede Seite wählt geheim einen Stein auf dem eigenen Brett und legt sich dann fest. Bis dahin kannst du die Auswahl
   beliebig oft ändern; eine neue Auswahl hebt die Festlegung auf. Die andere Seite sieht, ob du gewählt und ob du dich
   festgelegt hast, aber nicht was. Beide dürfen dasselbe Feld wählen.
2. Sobald sich beide festgelegt haben, wird aufgedeckt, und die Runde läuft in vier Schritten ab:
   - *erste Hälfte*: Auf dem roten Brett wird der Stein umgedreht, den Rot gewählt hat, auf dem gelben der von Gelb;
   - *zweite Hälfte*: Auf dem roten Brett wird der Stein auf dem Feld von **Gelb** umgedreht, auf dem gelben der auf dem
     Feld von **Rot**. Er wird umgedreht, welche Farbe er dann auch zeigt; was die erste Hälfte gebracht hat, kann also
     wieder verloren gehen.

## Umdrehen schließt Steine ein

Ein umgedrehter Stein zeigt eine neue Farbe. Schau von ihm in alle acht Richtungen: Eine lückenlose Reihe von Steinen
der anderen Farbe, hinter der sofort ein Stein der neuen Farbe liegt, ist eingeschlossen und dreht sich ebenfalls um.
Eine Reihe, die an einer Lücke oder am Rand endet, dreht sich nicht um. Alle Richtungen gelten gleichzeitig, und
eingeschlossene Steine schließen keine weiteren ein. Ein Stein muss nichts einschließen.

## Das Ende

Nach jeder Hälfte hat gewonnen, wessen Brett kein Weiß mehr zeigt; zeigt keines der beiden Weiß, ist die Partie remis.
Geschieht das nach der ersten Hälfte, entfällt die zweite.

Wer vorsichtig spielt, kann den anderen für immer am Ziel hindern. Deshalb endet die Partie nach einer begrenzten Zahl
von Runden, meist 60: remis oder mit einem Sieg für das Brett mit weniger weißen Steinen (remis bei gleicher Zahl).
Wer die Partie verlässt, verliert.

## Was ein Raum wählen kann

- Welche Steine gewählt werden dürfen: jeder Stein des eigenen Bretts oder nur einer, der Weiß zeigt. Der Stein, den die
  Auswahl der anderen Seite umdreht, darf trotzdem schwarz sein.
- Die Zahl der Runden, oder unbegrenzt.
- Was nach der letzten Runde gilt: remis oder ein Sieg für das Brett mit weniger weißen Steinen.
"""

STEPS = (
    StepTexts(
        text=(
            "Du bist Rot. Mach dein Brett ganz schwarz, bevor Gelb es schafft. In jeder Runde wählen beide geheim "
            "einen Stein. Wähle den weißen auf H8 und leg ihn fest."
        ),
        hint="H8 ist die Ecke oben rechts. Wähle sie und drücke dann H8 festlegen.",
        praise="H8 ist schwarz. Danach drehte sich F3, die Wahl von Gelb, auch bei dir: weiß, mit zwei weiteren.",
    ),
    StepTexts(
        text=(
            "Ein umgedrehter Stein schließt Reihen der anderen Farbe ein, bis zu einem Stein seiner neuen Farbe. Wähle "
            "D2: Die weiße Reihe darüber endet am schwarzen D8."
        ),
        hint="D2 ist in der zweiten Reihe von unten. Wähle es und drücke dann D2 festlegen.",
        praise="Sieben Steine in drei Richtungen. In der zweiten Hälfte drehte E2 von Gelb einige zurück.",
    ),
    StepTexts(
        text=(
            "Deine Auswahl wird auch auf dem gelben Brett umgedreht. F3 ist bei dir weiß, bei Gelb schwarz: Das hilft "
            "dir und schadet Gelb. Wähle es."
        ),
        hint="F3 ist rechts von deinem weißen E3. Wähle es und drücke dann F3 festlegen.",
        praise="Gut für dich, schlecht für Gelb: eine starke Auswahl.",
    ),
    StepTexts(
        text=(
            "Eine Reihe, die an einer Lücke oder am Rand endet, ist nicht eingeschlossen: E2 brächte nichts, denn A2 "
            "ist eine Lücke. Wähle den Stein, der die Reihe bis F2 einschließt."
        ),
        hint="Beginne am anderen Ende der Reihe: Wähle B2 neben der Lücke und drücke dann B2 festlegen.",
        praise="Von B2 aus endet die Reihe am schwarzen F2, also drehte sie sich ganz um.",
    ),
    StepTexts(
        text=(
            "Nur die unterste Reihe ist noch weiß. Ein Brett ohne Weiß gewinnt sofort, noch bevor die andere Auswahl "
            "zählt. Welcher Stein schließt alle anderen ein?"
        ),
        hint="Die Reihe endet am schwarzen F1. Beginne am anderen Ende, in der Ecke: A1.",
        praise="Alles schwarz: gewonnen! Werden beide Bretter in derselben Hälfte schwarz, ist es remis.",
    ),
)

GERMAN = GameTexts(
    title="Turncoat",
    tagline="Wähle geheim ein Feld: Es wird auf beiden Brettern umgedreht.",
    summary=(
        "Beide wählen geheim einen Stein des eigenen Bretts; jeder wird dann auf beiden Brettern umgedreht.",
        "Ein umgedrehter Stein dreht auch die Reihen um, die er bis zu Steinen seiner neuen Farbe einschließt.",
        "Wessen Brett zuerst ganz schwarz ist, gewinnt.",
    ),
    rules=RULES,
    colours={"red": "Rot", "yellow": "Gelb"},
    options={
        "selectable": OptionTexts(
            title="Steine, die gewählt werden dürfen", values={"any": "Alle", "white_only": "Nur weiße"}
        ),
        "round_limit": OptionTexts(title="Runden, 0 für unbegrenzt"),
        "at_limit": OptionTexts(
            title="Nach der letzten Runde",
            values={"draw": "Die Partie ist remis", "fewest_white": "Weniger weiße Steine gewinnen"},
        ),
        "start": OptionTexts(title="Verteilung", values={"random": "Wird ausgelost", "lesson": "Wie in der Lektion"}),
    },
    endings={
        "all_black": "Alle Steine eines Bretts sind schwarz: Diese Seite hat gewonnen.",
        "round_limit": "Die letzte Runde der Partie ist gespielt.",
    },
    refusals={
        "no_disc": "Dieses Feld ist eine Lücke: Hier gibt es keinen Stein zu wählen.",
        "not_white": "In dieser Partie darf nur ein Stein gewählt werden, der auf deinem Brett Weiß zeigt.",
        "nothing_selected": "Du hast noch kein Feld gewählt; wähle eines, bevor du dich festlegst.",
        "already_committed": "Du hast dich schon festgelegt; eine neue Auswahl hebt das auf.",
    },
    measure=MeasureTexts(unit="schwarze Steine", meaning="Die schwarzen Steine auf dem Brett jedes Platzes."),
    steps=STEPS,
)
