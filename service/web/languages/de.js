/** The German texts of what all pages have in common, of the lobby, the chat and the page that is shown offline. */

/** @import { Texts } from '../dom.js' */

/** @type {Texts} */
export const TEXTS = {
  page: {
    description: 'Brettspiele für zwei oder drei Personen, ohne Konto.',
    language: 'Sprache / Language',
    notLoaded: 'Diese Seite konnte nicht geladen werden',
    notLoadedReason: 'Der Server ist nicht erreichbar oder wurde gerade aktualisiert.',
    reload: 'Neu laden',
    titleOnTurn: (rooms, title) => `(${rooms}) Du bist am Zug · ${title}`,
    skip: 'Zum Inhalt springen',
    home: 'Turnstream, zur Lobby',
    messages: 'Meldungen',
    connecting: 'Verbinden …',
    reconnecting: 'Verbindung verloren, neuer Versuch …',
    closed: 'Getrennt. Lade die Seite neu.',
    youAre: (nickname) => `Du bist ${nickname}. Namen ändern`,
    chooseName: 'Namen wählen',
    themes: {
      device: 'Farben: wie das Gerät. Ändern',
      light: 'Farben: hell. Ändern',
      dark: 'Farben: dunkel. Ändern',
    },
    soundOn: 'Ton: an. Ausschalten',
    soundOff: 'Ton: aus. Einschalten',
    notify: 'Benachrichtigen',
    notifyNote: 'Wenn du am Zug bist, auch solange diese Seite nicht zu sehen ist',
    lobby: 'Lobby',
    toLobby: 'Zur Lobby',
    rules: 'Regeln',
    learn: 'Lernen',
  },

  problems: {
    newGuest: 'Dein Token gilt nicht mehr. Du bist jetzt ein neuer Gast: Versuche es noch einmal.',
    newToken: 'Dein Token gilt nicht mehr. Ein anderer Tab hat ein neues: Versuche es noch einmal.',
    unreachable: 'Der Server ist nicht erreichbar.',
    closed: (code, reason) => `Der Server hat die Verbindung beendet: ${CLOSINGS[code] ?? reason}.`,
    tryAgainIn: (problem, seconds) => `${problem} Versuche es in ${seconds} s noch einmal.`,
    tryingAgain: (what, problem) => `${what} ${problem} Neuer Versuch …`,
  },

  time: {
    dateAndTime: (date, time) => `${date}, ${time}`,
    daysAndHours: (days, hours) => `${days} T ${hours} Std.`,
    today: 'heute',
    justNow: 'gerade eben',
    minutesAgo: (minutes) => `vor ${minutes} Min.`,
    hoursAgo: (hours) => `vor ${hours} Std.`,
    daysAgo: (days) => `vor ${counted(days, 'Tag', 'Tagen')}`,
  },

  names: {
    first:
      'Bunter Eifriger Flinker Freier Froher Heller Kluger Kühner Leiser Lieber Milder Munterer Mutiger Netter ' +
      'Ruhiger Sanfter Schlauer Wacher',
    second:
      'Adler Biber Dachs Delfin Falke Fuchs Hase Igel Kranich Luchs Marder Otter Panda Rabe Reiher Schwan Seehund Uhu',
  },

  bots: {
    easy: ['Pip', 'Pia'],
    casual: ['Momo', 'Mimi'],
    medium: ['Otto', 'Olga'],
    skilled: ['Vera', 'Viktor'],
    hard: ['Ida', 'Igor'],
    expert: ['Kasimir', 'Katinka'],
  },

  lobby: {
    welcome: 'Setz dich dazu.',
    noSuchPage: 'Diese Seite gibt es nicht.',
    lead: 'Fünf Brettspiele für zwei oder drei. Wähle eines und spiel: ohne Konto, ohne Warten.',
    games: 'Spiele',
    gamesMissing: 'Die Spiele sind nicht angekommen.',
    play: 'Spielen',
    playGame: (game) => `${game} spielen`,
    find: 'Gegner suchen',
    findGame: (game) => `Gegner suchen für ${game}`,
    findMany: 'Gegner suchen',
    findManyGame: (game) => `Gegner suchen für ${game}`,
    friends: 'Freunde',
    friendsGame: (game) => `Freunde: ${game} mit anderen spielen`,
    options: 'Optionen',
    optionsOf: (game) => `Optionen von ${game}`,
    learnGame: (game) => `${game}: Lernen`,
    rulesOf: (game) => `Regeln von ${game}`,
    againstBot: 'gegen Bot',
    againstBots: 'gegen Bots',
    againstPeople: 'gegen Menschen',
    chat: 'Chat',
    api: 'Die API',
    feeds: 'Die Live-Daten',
    ratings: 'Wertungen und Bestenlisten',
    tournaments: 'Turniere',
    nothingElse: 'Diese Seite nutzt nichts anderes.',
  },

  rooms: {
    own: 'Deine Räume',
    you: 'du',
    ownMissing: 'Deine Räume sind nicht angekommen.',
    open: 'Offene Räume',
    openMissing: 'Die Räume sind nicht angekommen.',
    none: 'Gerade sucht niemand Mitspieler. Öffne einen Raum, dann sehen ihn andere hier.',
    watchCount: (matches) => `Zuschauen (${matches})`,
    allGames: 'Alle',
    game: 'Spiel',
    seatsFree: (seats) => `${counted(seats, 'Platz', 'Plätze')} frei`,
    join: 'Beitreten',
    watch: 'Zuschauen',
    goOn: 'Weiter',
    yourTurn: 'du bist am Zug',
    statuses: { open: 'offen', playing: 'läuft', finished: 'beendet', closed: 'geschlossen' },
    rated: 'gewertet',
    joinByName: 'Einem Raum über seinen Namen beitreten',
    exampleName: 'freitagabend',
    go: 'Los',
  },

  chat: {
    title: 'Chat',
    lines: 'Nachrichten',
    empty: 'Noch keine Nachrichten.',
    missing: 'Die Nachrichten sind nicht angekommen.',
    lobby: 'Lobby',
    thisRoom: 'Dieser Raum',
    otherRoom: 'Anderer Raum',
    shown: 'Angezeigte Nachrichten',
    views: { all: 'Alle', lobby: 'Lobby', room: 'Dieser Raum' },
    withNew: (view, lines) => `${view} (${lines} neu)`,
    bot: (nickname) => `${nickname} (Bot)`,
    person: (nickname) => `${nickname}: herausfordern oder blockieren`,
    joinToWrite: 'Tritt bei, um zu schreiben.',
    sayHello: 'Sag hallo',
    erased: '(gelöscht)',
    write: 'Nachricht oder /ready',
    to: 'An',
    line: 'Nachricht',
    send: 'Senden',
  },

  offline: {
    title: 'Keine Verbindung · Turnstream',
    heading: 'Keine Verbindung',
    reason:
      'Bei Turnstream spielst du mit anderen, darum braucht es eine Verbindung. Deine Räume und Plätze bleiben ' +
      'erhalten; diese Seite geht von selbst weiter, sobald der Server erreichbar ist.',
    again: 'Noch einmal versuchen',
  },
};

/**
 * Why the server has closed a connection, by the codes of `service/api/close_codes.py`.
 * @type {Record<number, string>}
 */
const CLOSINGS = {
  4000: 'Diese Seite liest zu langsam',
  4001: 'Der Server wird gerade neu gestartet',
  4002: 'Der Speicher ist gerade nicht erreichbar',
  4100: 'Dein Token gilt nicht mehr',
  4101: 'Die Verbindung gehört zu einem anderen Token',
  4200: 'Es kam keine erste Nachricht',
  4201: 'Zu viele Nachrichten waren ungültig',
  4202: 'Der Name des Raums ist ungültig',
  4203: 'Seiten dieser Herkunft dürfen sich nicht verbinden',
  4204: 'Zu viele Verbindungen sind offen',
  4205: 'Es kamen zu viele Nachrichten in kurzer Zeit',
  4210: 'Die Betreiber haben dich gesperrt',
};

/**
 * @param {number} count
 * @param {string} one
 * @param {string} more
 */
function counted(count, one, more) {
  return `${count} ${count === 1 ? one : more}`;
}
