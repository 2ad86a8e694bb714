/** The German texts of games: their boards, and what is there to look at matches again and to learn. */

/** @import { GameTexts } from './games.js' */

/** @type {GameTexts} */
export const TEXTS = {
  board: {
    label: 'Brett',
    cell: (name, content) => `${name}, ${content}`,
    empty: 'leer',
    wall: 'eine Mauer',
    picked: 'gewählt',
    goodMove: 'ein guter Zug',
    premove: 'Vorauszug',
    playable: 'spielbar',
  },

  ternio: {
    phase: 'Lege einen Stein, der etwas erobert: auf ein Kreuz.',
    capturesNothing: 'Dort erobert ein Stein nichts. Die Kreuze zeigen, wo du setzen kannst.',
    disc: (colour) => `Stein: ${colour}`,
    lastDisc: (colour) => `Stein: ${colour}, zuletzt gesetzt`,
  },

  triboard: {
    phase: 'Wähle ein leeres Feld, von dem du über andere zu einem eigenen springst.',
    noJump: 'Von dort gibt es keinen Sprung. Hilfe zeigt, wo es einen gibt.',
    took: (seat, cell, jumped) => `${seat} hat ${cell} genommen${jumped ? ` und ${jumped} übersprungen` : ''}.`,
    cell: (colour) => `Feld: ${colour}`,
    lastCell: (colour) => `Feld: ${colour}, zuletzt genommen`,
  },

  morris: {
    count: 'Steine übrig',
    remove: (men) => `Eine Mühle! Schlag ${men === 1 ? 'einen gegnerischen Stein' : `${men} gegnerische Steine`}.`,
    placing: (men) => `Setzen: ${men} ${men === 1 ? 'Stein' : 'Steine'} in der Hand.`,
    flying: 'Springen: Zieh einen Stein auf einen beliebigen leeren Punkt.',
    moving: 'Ziehen: Zieh einen Stein entlang einer Linie zum nächsten leeren Punkt.',
    removeOne: 'Schlag einen gegnerischen Stein.',
    ownMan: 'Das ist dein eigener Stein. Schlag einen gegnerischen.',
    safe: 'Dieser Stein steht in einer Mühle und ist sicher.',
    taken: 'Dieser Punkt ist besetzt.',
    notYours: 'Das ist nicht dein Stein.',
    cannotMoveThere: 'Dorthin kann dein Stein nicht ziehen.',
    pickFirst: 'Wähle zuerst einen deiner Steine.',
    stuck: 'Dieser Stein kann nirgendwohin ziehen. Leg ihn zurück.',
    begins: (seat) => `${seat} beginnt.`,
    placed: (seat, point, mills) => `${seat} hat auf ${point} gesetzt${CLOSING[mills] ?? ''}.`,
    moved: (seat, from, to, mills) => `${seat} hat ${from} nach ${to} gezogen${CLOSING[mills] ?? ''}.`,
    removed: (seat, point) => `${seat} hat den Stein auf ${point} geschlagen.`,
    held: (colour, inHand, onBoard, lost) =>
      `${colour}: ${inHand} in der Hand, ${onBoard} auf dem Brett, ${lost} verloren`,
    man: (colour, mills, isLast) =>
      `Stein: ${colour}${['', ', in einer Mühle', ', in zwei Mühlen'][mills]}${isLast ? ', zuletzt gezogen' : ''}`,
    removedHere: 'leer, hier wurde ein Stein geschlagen',
  },

  turncoat: {
    boards: 'Bretter',
    yourBoard: 'Dein Brett',
    yourTab: 'Deins',
    boardOf: (seat) => `Brett von ${seat}`,
    sides: { B: 'schwarz', W: 'weiß' },
    skip: 'Überspringen',
    onlyWhite: 'In dieser Partie dürfen nur weiße Steine gewählt werden.',
    round: (round, limit) => (limit ? `Runde ${round} von ${limit}` : `Runde ${round}`),
    inSecret: 'Beide wählen geheim.',
    waiting: 'Die andere Seite wählt noch.',
    select: 'Wähle geheim einen Stein auf deinem Brett.',
    watching: 'Du schaust zu.',
    blankSquare: 'Dieses Feld ist eine Lücke: Hier gibt es keinen Stein zu wählen.',
    notWhite: 'In dieser Partie darf nur ein weißer Stein gewählt werden.',
    selected: (seat) => `${seat} hat gewählt.`,
    committed: (seat) => `${seat} hat sich festgelegt.`,
    roundBegins: (round) => `Runde ${round} beginnt.`,
    selectedAt: (colour, square) => `${colour} hat ${square} gewählt`,
    turnedByOwn: (colour, square, side, trapped) =>
      `Brett von ${colour}: ${square} wird ${side} durch die eigene Auswahl${turning(trapped)}.`,
    turnedByOther: (colour, square, side, trapped) =>
      `Brett von ${colour}: ${square} wird ${side} durch die fremde Auswahl${turning(trapped)}.`,
    tab: { committed: 'festgelegt', selected: 'gewählt', black: 'schwarz' },
    blank: 'Lücke',
    yourSelection: 'deine Auswahl',
    turned: 'umgedreht',
    trapped: 'eingeschlossen',
    selection: (square) => `Deine Auswahl: ${square}`,
    nothingSelected: 'Noch nichts gewählt.',
    commit: 'Festlegen',
    commitSquare: (square) => `${square} festlegen`,
    hasCommitted: 'Festgelegt',
  },

  rainbow: {
    colours: {
      R: 'Rot',
      O: 'Orange',
      Y: 'Gelb',
      G: 'Grün',
      B: 'Blau',
      V: 'Violett',
      W: 'Weiß',
      K: 'Schwarz',
    },
    letters: { R: 'R', O: 'O', Y: 'Ge', G: 'Gr', B: 'B', V: 'V', W: 'W', K: 'S' },
    count: 'Stecker in der Hand',
    phase: 'Setze, wende oder versetze einen Stecker.',
    phaseWithDie: (colour) => `Der Würfel zeigt ${colour}: Setze, wende oder versetze einen Stecker mit dieser Farbe.`,
    chooseFirst: 'Wähle zuerst einen deiner Stecker und seine Seite.',
    notYours: 'Das ist nicht dein Stecker.',
    resting: 'Dieser Stecker ruht in diesem Zug.',
    colouredFirst: 'Der weiß-schwarze Stecker darf gesetzt werden, wenn alle sechs farbigen auf dem Brett sind.',
    wrongColour: 'Dieser Stecker hat nicht die Farbe des Würfels.',
    rolled: (colour) => `Der Würfel zeigt ${colour}.`,
    placed: (seat, colour, cell) => `${seat} hat ${colour} auf ${cell} gesetzt.`,
    flipped: (seat, cell) => `${seat} hat den Stecker auf ${cell} gewendet.`,
    moved: (seat, from, to) => `${seat} hat den Stecker von ${from} nach ${to} versetzt.`,
    placeClause: (colour, cell, under) => `${colour} auf ${cell} setzen, mit ${under} darunter`,
    peg: (owner, colour, under, letters) => `Stecker von ${owner}: ${colour}, darunter ${under} (${letters})`,
    isResting: 'ruht',
    inLine: 'in der Linie',
    die: (colour) => `Der Würfel zeigt ${colour}`,
    hexagonal: 'Sechseckig',
    rack: (owner) => `Stecker von ${owner} in der Hand`,
    allPlaced: 'Alle Stecker sind auf dem Brett.',
    inHand: (pegs) => `In der Hand: ${pegs}`,
    twoColours: (one, other) => `${one} und ${other}`,
    side: (peg, up) => `Stecker ${peg}, ${up} oben`,
  },

  drawings: {
    ternio: {
      caption:
        'Rot legt einen Stein auf A1. Die blaue Reihe wird rot. Die Spalte aus Grün und Blau ist gemischt und bleibt.',
      before: 'Vorher: Eine Reihe aus zwei blauen Steinen endet an einem roten, eine Spalte aus Blau und Grün ebenso.',
      after: 'Nachher: Die Reihe ist rot, die Spalte unverändert.',
    },
    triboard: {
      caption:
        'Blau nimmt das Feld links und springt über die ganze rote Reihe. Die Mauer versperrt die andere Richtung.',
      before:
        'Vorher: Drei rote Felder enden an einem blauen. Über dem leeren sind ein grünes, eine Mauer, ein blaues.',
      after: 'Nachher: Die ganze Reihe ist blau, das grüne Feld unverändert.',
    },
    morris: {
      caption: 'Weiß zieht nach D6, schließt eine Mühle und schlägt einen schwarzen Stein, der in keiner ist.',
      before: 'Vorher: weiße Steine auf D7, D5 und B6.',
      after: 'Nachher: Die weißen Steine auf D5, D6 und D7 sind eine Mühle; der schwarze auf G7 ist geschlagen.',
    },
    turncoat: {
      caption:
        'A2 wird schwarz. Die weißen Steine bis zum nächsten schwarzen sind eingeschlossen und drehen sich mit um. ' +
        'Eine Reihe, die an einer Lücke oder am Rand endet, dreht sich nicht um.',
      before: 'Vorher: A2, B2 und C2 zeigen Weiß, D2 Schwarz.',
      after: 'Nachher: Die ganze Reihe A2 bis D2 zeigt Schwarz.',
    },
    rainbow: {
      caption:
        'Drei Felder einer Farbe in einer Reihe gewinnen, egal wem die Stecker gehören. Weiß zählt als jede Farbe.',
      line: 'Eine Reihe aus Grün, Weiß und Grün ist eine Linie. Schwarz zählt als keine Farbe.',
    },
  },

  history: {
    start: 'der Anfang',
    end: 'das Ende',
    after: (move, moves) => `nach Zug ${move} von ${moves}`,
    inMatch: (match, position) => `Partie ${match}: ${position}`,
    announcement: (position, move) => `Rückblick: ${position}. ${move}`,
    newMatch: 'Eine neue Partie hat begonnen.',
    noSuchMatch: (match) => `Dieser Raum hat keine Partie ${match}.`,
    backToNow: 'Zurück zu jetzt.',
    step: 'Durch die Partie gehen',
    toStart: 'Zum Anfang',
    back: 'Einen Zug zurück',
    forward: 'Einen Zug vor',
    toEnd: 'Zum Ende',
    toNow: 'Zu jetzt',
    withKey: (label, key) => `${label} (Taste ${key})`,
    noMoves: 'Noch keine Züge.',
    moves: 'Züge',
    earlier: (matches) => `Frühere Partien (${matches})`,
    more: 'Mehr zeigen',
    match: (match, time) => `Partie ${match} · ${time}`,
    unknownPlayer: 'unbekannt',
    previous: (match) => `Partie ${match}: `,
    review: 'Analyse',
    reviewMatch: (match) => `Analyse der Partie ${match}`,
    reviewOf: (match) => `Analyse der Partie ${match}`,
    loading: 'Die Partie wird geladen …',
    matchTitle: (match, room) => `Partie ${match} in ${room}`,
    notFound: 'Partie nicht gefunden',
    notFoundNote: 'Keine Partie hat diese Adresse, oder ihr Raum ist privat.',
    otherBrowser: 'Wenn du mitgespielt hast, öffne sie im selben Browser wie damals.',
    notShown: 'Diese Partie kann nicht angezeigt werden',
  },

  review: {
    ask: 'Von den Bots analysieren lassen',
    askNote: 'Sie beurteilen jede Stellung, einmal für alle. Das dauert bis zu einer Minute.',
    waiting: 'Die Bots beurteilen die Partie …',
    done: (summary) => `Die Analyse ist fertig. ${summary}`,
    best: 'Züge zeigen',
    nextMistake: 'Nächster Fehler',
    turningPoint: (number, colour, move) => `Wendepunkt: Zug ${number}${colour === null ? '' : `, ${colour} ${move}`}`,
    seatMistakes: (colour, mistakes) => `${colour}: ${mistakes}`,
    noMistakes: 'keine Fehler',
    countOf: {
      blunder: (count) => `${count} Patzer`,
      mistake: (count) => `${count} Fehler`,
      inaccuracy: (count) => (count === 1 ? '1 Ungenauigkeit' : `${count} Ungenauigkeiten`),
    },
    lost: {
      blunder: (lost) => `Ein Patzer: ${lost} % der Gewinnchancen verloren.`,
      mistake: (lost) => `Ein Fehler: ${lost} % der Gewinnchancen verloren.`,
      inaccuracy: (lost) => `Eine Ungenauigkeit: ${lost} % der Gewinnchancen verloren.`,
    },
    playFrom: 'Ab hier spielen',
    withBots: 'Gegen Bots',
    byLink: 'Mit anderen, per Link',
    copyLink: 'Link zur Stellung kopieren',
    linkCopied: 'Der Link zu dieser Stellung ist kopiert.',
    link: (link) => `Der Link zu dieser Stellung: ${link}`,
    copyNotation: 'Notation kopieren',
    notationCopied: 'Die Notation ist kopiert.',
    notationAt: (address) => `Der Browser kann sie nicht kopieren. Sie steht unter ${address}`,
    inTurn: 'Mitten im Zug. Geh weiter, um die Beurteilung zu sehen.',
    over: 'Hier ist die Partie zu Ende.',
    wouldPlay: (colour, move) => `Am besten für ${colour}: ${move}.`,
    left: (colour, move) => `${colour} hat die Partie verlassen; der beste Zug war ${move}.`,
    asBot: (colour, move) => `${colour} hat ${move} gespielt, den besten Zug.`,
    unlikeBot: (colour, played, move) => `${colour} hat ${played} gespielt; die Bots ziehen ${move} vor.`,
    marked: {
      blunder: (colour, played, lost, move) =>
        `${colour} hat ${played} gespielt, ein Patzer: Die Gewinnchance fiel um ${lost} %. Am besten war ${move}.`,
      mistake: (colour, played, lost, move) =>
        `${colour} hat ${played} gespielt, ein Fehler: Die Gewinnchance fiel um ${lost} %. Am besten war ${move}.`,
      inaccuracy: (colour, played, lost, move) =>
        `${colour} hat ${played} gespielt, eine Ungenauigkeit: Die Gewinnchance fiel um ${lost} %. Besser war ${move}.`,
    },
    graph: 'Gewinnchancen',
    chances: 'Die Gewinnchance jedes Platzes, wie die Bots sie beurteilen.',
    graphValue: (position, numbers) => `${position}: ${numbers}`,
    number: (colour, value) => `${colour} ${value}`,
    asTable: 'Die Zahlen als Tabelle',
    tableCaption: 'Gewinnchancen in Prozent nach jedem Halbzug',
    ply: 'Halbzug',
    move: 'Zug',
  },

  lesson: {
    title: (game) => `${game} lernen`,
    learn: 'Lernen',
    newTo: (game) => `Neu bei ${game}?`,
    learnIn: (steps) => `Lerne es in ${steps} Schritten`,
    noThanks: 'Nein, danke',
    backToLobby: 'Zur Lobby',
    settingUp: 'Das Brett wird aufgebaut …',
    interrupted: 'Die Lektion wurde unterbrochen',
    beginAgain: 'Von vorn beginnen',
    playedFirst: 'Schau zu: Das wird zuerst gespielt …',
    step: (step, steps) => `Schritt ${step} von ${steps}`,
    stepText: (step, steps, text) => `Schritt ${step} von ${steps}. ${text}`,
    showMe: 'Zeig es mir',
    next: 'Weiter',
    playMatch: 'Eine Partie spielen',
    again: 'Noch einmal',
    over: 'Die Partie ist zu Ende.',
    chooseNext: 'Mit Weiter geht es weiter.',
    othersMove: 'Einen Moment: Die anderen ziehen.',
    notFound: 'Lektion nicht gefunden',
  },

  help: {
    title: 'Spielregeln',
    titleOf: (game) => `${game}: Spielregeln`,
    notFound: 'Spiel nicht gefunden',
  },

  look: { label: 'Aussehen des Bretts', looks: { classic: 'Klassisch', wood: 'Holz', paper: 'Papier' } },

  live: {
    title: 'Gerade live',
    titleOf: (game) => `${game} live`,
    watch: (game) => `Zuschauen: ${game}`,
    rated: 'gewertet',
    channel: 'Spiel zum Zuschauen',
    allGames: 'Alle Spiele',
    none: 'Gerade läuft keine Partie, bei der alle zuschauen können.',
  },

  here: {
    title: 'Wer da ist',
    playing: (matches) => (matches === 1 ? '1 Partie läuft' : `${matches} Partien laufen`),
    waiting: (players) => (players === 1 ? '1 Person wartet auf andere' : `${players} Personen warten auf andere`),
    winners: 'Zuletzt gewonnen',
  },

  notable: {
    title: 'Bemerkenswerte Partien',
    facts: {
      comeback: (game, _behind) => `${game}: Sieg nach Rückstand`,
      shortest_win: (game, moves) => `${game}: Sieg in ${moves} Zügen`,
      longest: (game, moves) => `${game}: lange Partie mit ${moves} Zügen`,
    },
  },

  keys: {
    title: 'Tasten und Gesten',
    close: 'Schließen',
    keys: {
      tab: ['Tab', 'zum Brett und zu jedem Knopf'],
      arrows: ['Pfeiltasten', 'von Feld zu Feld'],
      enter: ['Eingabe, Leertaste', 'ein Feld wählen'],
      escape: ['Escape', 'zurücklegen, einen Vorauszug verwerfen oder eine frühere Stellung verlassen'],
      steps: [', und .', 'in der Partie zurück und vor'],
      graph: ['Pfeiltasten, Pos1, Ende', 'im Verlauf einer Analyse: von Zug zu Zug'],
      next: ['n', 'zum nächsten Tisch, an dem du am Zug bist'],
      help: ['?', 'diese Tasten zeigen'],
    },
    gestures: {
      drag: ['Ziehen', 'einen Stein oder Stecker bewegen'],
      point: ['Zeigen oder lange drücken', 'sehen, was ein Zug bewirkt'],
      premove: ['Wählen, während andere ziehen', 'ein Vorauszug; er wird gesendet, sobald du am Zug bist'],
      draw: ['Rechte Taste', 'einen Pfeil oder Ring zeichnen; ein Klick wischt sie weg'],
    },
  },

  fairness: {
    label: 'Fairer Zufall',
    verify: 'Diese Partie prüfen',
    unknown: 'unbekannt',
    holds: 'stimmt',
    broken: 'stimmt nicht',
    onlySecure: 'Prüfsummen berechnet der Browser nur auf sicheren Seiten (https).',
    notLoaded: 'Die Ereignisse dieser Partie sind nicht geladen.',
    seedHolds: 'Der am Ende aufgedeckte Startwert hat die Prüfsumme vom Anfang.',
    seedBroken: 'Der am Ende aufgedeckte Startwert hat nicht die Prüfsumme vom Anfang.',
    notStored: 'Was vor der Partie veröffentlicht wurde, ist nicht mehr gespeichert.',
    published: 'Diese Prüfsumme wurde vor der Partie und vor jedem Salz veröffentlicht.',
    notPublished: 'Diese Prüfsumme wurde nicht vor der Partie und vor jedem Salz veröffentlicht.',
    saltMixed: 'Das Salz, das dieses Gerät gesendet hat, wurde beigemischt.',
    noSalt: (salts) => `Dieses Gerät hat für diese Partie kein Salz gesendet; ${salts} kamen von Mitspielern.`,
    wrongDraw: (draw, event) => `Ziehung ${draw} führt zu etwas anderem als Ereignis ${event}.`,
    drawsHold: (draws) =>
      `Jede Ziehung wurde aus Startwert und Salz nachgerechnet, mit dem aufgezeichneten Ergebnis: ${draws}.`,
  },
};

/** What closing so many mills adds to a sentence. @type {Record<number, string>} */
const CLOSING = { 1: ' und eine Mühle geschlossen', 2: ' und zwei Mühlen geschlossen' };

/** @param {number} trapped */
function turning(trapped) {
  return trapped ? ` und dreht ${trapped} mit` : '';
}
