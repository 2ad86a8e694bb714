/** The English texts about ratings: leaderboards, and a player's own ratings. */

export const TEXTS = {
  /** The rating classes. */
  classes: { bullet: 'Bullet', blitz: 'Blitz', rapid: 'Rapid', correspondence: 'Correspondence', bots: 'Against bots' },

  /** Which clocks belong to a class. */
  clocks: {
    bullet: 'Less than 3 minutes for 30 turns, such as 5 seconds per move.',
    blitz: 'Less than 10 minutes for 30 turns, such as 10 seconds per move.',
    rapid: 'Less than a day for 30 turns, such as 10 minutes + 5 seconds per move.',
    correspondence: 'Whole days per move.',
    bots: 'Matches against bots, with any clock and without help.',
  },

  rating: (/** @type {string} */ rating, /** @type {string} */ deviation) => `${rating} ± ${deviation}`,
  unknownPlayer: 'unknown',

  /** The ratings after a match. */
  change: {
    ratings: (/** @type {string} */ list) => `Ratings (${list}):`,
    voided: 'This match was voided, so it changes no rating.',
  },

  /** The page of a player. */
  profile: {
    title: 'Player',
    missing: 'The profile has not arrived.',
    hidden: 'This profile is hidden',
    hiddenNote: 'The player does not show it, or has been erased.',
    since: (/** @type {string} */ day) => `Has played since ${day}.`,
    noMatches: 'No match has ended yet.',
    more: 'Challenge or block …',
    hide: 'Hide my profile',
    hideNote: 'Others then see neither this page nor your matches; leaderboards still have your name.',
    nowHidden: 'Your profile is hidden from others.',
    nowShown: 'Others can see your profile.',
    ratings: 'Ratings',
    chart: (/** @type {number} */ first, /** @type {number} */ last) => `The rating went from ${first} to ${last}.`,
    matches: (/** @type {number} */ matches) => counted(matches, 'match', 'matches'),
    place: (/** @type {number} */ place) => `place ${place}`,
    results: 'Results',
    against: (/** @type {string} */ name) => `You against ${name}`,
    game: 'Game',
    allMatches: 'Matches',
    wins: 'Won',
    draws: 'Drawn',
    losses: 'Lost',
    latest: 'Latest matches',
    outcomes: { won: 'won', drawn: 'drawn', lost: 'lost' },
    noResult: 'no result',
    match: (/** @type {string} */ game, /** @type {string} */ others) => `${game} against ${others}`,
  },

  /** The page of all lists. */
  lists: {
    title: 'Ratings',
    lead: 'Each game has a leaderboard for each kind of clock. Rated matches decide.',
    own: 'Your ratings',
    ownNone: 'You have no rating yet. Choose “Rated” when you look for an opponent or open a room.',
    game: 'Game',
    list: 'Clock',
    rating: 'Rating',
    matches: 'Matches',
    place: 'Place',
    missing: 'The ratings have not arrived.',
    nobody: 'no places yet',
    places: (/** @type {number} */ players) => counted(players, 'place', 'places'),
  },

  /** The page of a list. */
  board: {
    title: (/** @type {string} */ game, /** @type {string} */ list) => `${game}: ${list}`,
    missing: 'The leaderboard has not arrived.',
    unknown: 'There is no such leaderboard',
    all: 'All ratings',
    otherGame: 'Game',
    lists: 'Kinds of clocks',
    place: 'Place',
    player: 'Player',
    rating: 'Rating',
    matches: 'Matches',
    wins: 'Wins',
    you: 'you',
    ownRating: (/** @type {string} */ rating) => `Your rating: ${rating}.`,
    ownPlace: (/** @type {number} */ place, /** @type {number} */ players) => `Place ${place} of ${players}.`,
    empty: 'Nobody has a place yet.',
    needs: (/** @type {number} */ opponents, /** @type {number} */ deviation) =>
      `A place needs ${opponents} different opponents and a deviation of at most ${deviation}, which takes about ` +
      'twenty matches.',
    needsBots: (/** @type {number} */ matches, /** @type {number} */ deviation) =>
      `A place needs ${matches} matches and a deviation of at most ${deviation}, which takes about twenty matches.`,
    toPlace: (/** @type {string[]} */ missing) => `For a place you need ${missing.join(' and ')}.`,
    opponents: (/** @type {number} */ players) => counted(players, 'more opponent', 'more opponents'),
    moreMatches: (/** @type {number} */ matches) => counted(matches, 'more match', 'more matches'),
    certainty: 'more matches, until your rating is certain enough',
    pages: 'Pages',
    top: 'Top',
    before: 'Before',
    after: 'After',
    around: 'Around me',
    shown: (/** @type {number} */ first, /** @type {number} */ last, /** @type {number} */ total) =>
      `${first} to ${last} of ${total}`,
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
