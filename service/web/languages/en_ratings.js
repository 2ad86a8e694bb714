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
    needs: 'A place needs ten different opponents and a deviation of at most 210, which takes about twenty matches.',
    needsBots: 'A place needs ten matches and a deviation of at most 210, which takes about twenty matches.',
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
