/** The German texts about ratings: leaderboards, and a player's own ratings. */

/** @import { RatingTexts } from './ratings.js' */

/** @type {RatingTexts} */
export const TEXTS = {
  classes: { bullet: 'Bullet', blitz: 'Blitz', rapid: 'Schnell', correspondence: 'Fernpartie', bots: 'Gegen Bots' },

  clocks: {
    bullet: 'Weniger als 3 Minuten für 30 Züge, etwa 5 Sekunden pro Zug.',
    blitz: 'Weniger als 10 Minuten für 30 Züge, etwa 10 Sekunden pro Zug.',
    rapid: 'Weniger als ein Tag für 30 Züge, etwa 10 Minuten + 5 Sekunden pro Zug.',
    correspondence: 'Ganze Tage pro Zug.',
    bots: 'Partien gegen Bots, mit beliebiger Uhr und ohne Hilfe.',
  },

  rating: (rating, deviation) => `${rating} ± ${deviation}`,
  unknownPlayer: 'unbekannt',

  change: {
    ratings: (list) => `Wertungen (${list}):`,
    voided: 'Diese Partie wurde annulliert und ändert keine Wertung.',
  },

  profile: {
    title: 'Profil',
    missing: 'Das Profil ist nicht angekommen.',
    hidden: 'Dieses Profil ist verborgen',
    hiddenNote: 'Es wird nicht gezeigt, oder es wurde gelöscht.',
    since: (day) => `Spielt seit ${day}.`,
    noMatches: 'Noch ist keine Partie zu Ende.',
    more: 'Herausfordern oder blockieren …',
    hide: 'Mein Profil verbergen',
    hideNote: 'Andere sehen dann weder diese Seite noch deine Partien; in Bestenlisten bleibt dein Name.',
    nowHidden: 'Dein Profil ist für andere verborgen.',
    nowShown: 'Andere können dein Profil sehen.',
    ratings: 'Wertungen',
    chart: (first, last) => `Die Wertung ging von ${first} auf ${last}.`,
    matches: (matches) => counted(matches, 'Partie', 'Partien'),
    place: (place) => `Platz ${place}`,
    results: 'Ergebnisse',
    against: (name) => `Du gegen ${name}`,
    game: 'Spiel',
    allMatches: 'Partien',
    wins: 'Siege',
    draws: 'Remis',
    losses: 'Verloren',
    latest: 'Letzte Partien',
    outcomes: { won: 'gewonnen', drawn: 'remis', lost: 'verloren' },
    noResult: 'ohne Ergebnis',
    match: (game, others) => `${game} gegen ${others}`,
  },

  lists: {
    title: 'Wertungen',
    lead: 'Jedes Spiel hat für jede Art von Uhr eine Bestenliste. Gewertete Partien entscheiden.',
    own: 'Deine Wertungen',
    ownNone: 'Du hast noch keine Wertung. Wähle „Gewertet“, wenn du Gegner suchst oder einen Raum öffnest.',
    game: 'Spiel',
    list: 'Uhr',
    rating: 'Wertung',
    matches: 'Partien',
    place: 'Platz',
    missing: 'Die Wertungen sind nicht angekommen.',
    nobody: 'noch kein Platz vergeben',
    places: (players) => counted(players, 'Platz', 'Plätze'),
  },

  board: {
    title: (game, list) => `${game}: ${list}`,
    missing: 'Die Bestenliste ist nicht angekommen.',
    unknown: 'Diese Bestenliste gibt es nicht',
    all: 'Alle Wertungen',
    otherGame: 'Spiel',
    lists: 'Arten von Uhren',
    place: 'Platz',
    player: 'Name',
    rating: 'Wertung',
    matches: 'Partien',
    wins: 'Siege',
    you: 'du',
    ownRating: (rating) => `Deine Wertung: ${rating}.`,
    ownPlace: (place, players) => `Platz ${place} von ${players}.`,
    empty: 'Noch hat niemand einen Platz.',
    needs: (opponents, deviation) =>
      `Ein Platz braucht ${opponents} verschiedene Gegner und eine Abweichung von höchstens ${deviation}, also etwa ` +
      'zwanzig Partien.',
    needsBots: (matches, deviation) =>
      `Ein Platz braucht ${matches} Partien und eine Abweichung von höchstens ${deviation}, also etwa zwanzig Partien.`,
    toPlace: (missing) => `Für einen Platz brauchst du ${missing.join(' und ')}.`,
    opponents: (players) => counted(players, 'weiteren Gegner', 'weitere Gegner'),
    moreMatches: (matches) => counted(matches, 'weitere Partie', 'weitere Partien'),
    certainty: 'weitere Partien, bis deine Wertung sicher genug ist',
    pages: 'Seiten',
    top: 'Anfang',
    before: 'Davor',
    after: 'Danach',
    around: 'Um mich herum',
    shown: (first, last, total) => `${first} bis ${last} von ${total}`,
  },
};

/**
 * @param {number} count
 * @param {string} one
 * @param {string} more
 */
function counted(count, one, more) {
  return `${count} ${count === 1 ? one : more}`;
}
