/** The English texts about ratings and tournaments. */

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

  /** Why a match that was played for a rating does not count. */
  notRated: {
    aborted: 'fewer than two players had moved',
    no_result: 'it has no result',
    pair_limit: 'two of its players had already met five times that day',
    too_late: 'its end was not delivered in time',
    voided: 'it was voided',
  },

  /** The ratings after a match. */
  change: {
    ratings: (/** @type {string} */ list) => `Ratings (${list}):`,
    voided: 'This match was voided, so it changes no rating.',
    notRated: 'This match changes no rating:',
  },

  /** The page of a player. */
  profile: {
    title: 'Player',
    missing: 'The profile could not be loaded.',
    hidden: 'This profile is hidden',
    hiddenNote: 'The player has hidden it, or was erased.',
    since: (/** @type {string} */ day) => `Has played since ${day}.`,
    noMatches: 'No match has ended yet.',
    more: 'Challenge or block …',
    again: (/** @type {string} */ game) => `Again: ${game}`,
    hide: 'Hide my profile',
    hideNote: 'Others then see neither this page nor your matches; leaderboards still have your name.',
    nowHidden: 'Your profile is hidden from others.',
    nowShown: 'Others can see your profile.',
    ratings: 'Ratings',
    chart: (/** @type {number} */ first, /** @type {number} */ last) => `The rating went from ${first} to ${last}.`,
    matches: (/** @type {number} */ matches) => counted(matches, 'match', 'matches'),
    place: (/** @type {number} */ place) => `place ${place}`,
    provisionalPlace: (/** @type {number} */ place) => `provisional place ${place}`,
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
    notCounted: 'does not count',
    match: (/** @type {string} */ game, /** @type {string} */ others) => `${game} against ${others}`,
  },

  /** The page of all lists. */
  lists: {
    title: 'Ratings',
    lead: 'Each game has a leaderboard for each kind of clock. Only rated matches count.',
    own: 'Your ratings',
    ownNone: 'You have no rating yet. Choose “Rated” when you look for an opponent or open a room.',
    game: 'Game',
    list: 'Clock',
    rating: 'Rating',
    matches: 'Matches',
    place: 'Place',
    missing: 'The ratings could not be loaded.',
    nobody: 'no places yet',
    places: (/** @type {number} */ players) => counted(players, 'place', 'places'),
    provisional: (/** @type {number} */ players) => `provisional: ${counted(players, 'player', 'players')}`,
  },

  /** The page of a list. */
  board: {
    title: (/** @type {string} */ game, /** @type {string} */ list) => `${game}: ${list}`,
    missing: 'The leaderboard could not be loaded.',
    unknown: 'Leaderboard not found',
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
      `A place requires a deviation of at most ${deviation}, which takes about twenty matches, and ${opponents} ` +
      'different opponents with such a deviation.',
    needsBots: (/** @type {number} */ matches, /** @type {number} */ deviation) =>
      `A place requires ${matches} matches and a deviation of at most ${deviation}, which takes about twenty matches.`,
    provisional: 'Provisional',
    provisionalNote: (/** @type {number} */ players) =>
      `Until ${players} players have that, the list is provisional, and everybody is on it.`,
    toPlace: (/** @type {string[]} */ missing) => `For a place you need ${missing.join(' and ')}.`,
    toKeepPlace: (/** @type {string[]} */ missing) => `To keep a place you need ${missing.join(' and ')}.`,
    opponents: (/** @type {number} */ players) =>
      counted(players, 'more opponent with a certain rating', 'more opponents with certain ratings'),
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

  /** Tournaments. */
  tournaments: {
    formats: { round_robin: 'Round robin', swiss: 'Swiss system', arena: 'Arena' },
    formatNotes: {
      round_robin: 'Everybody meets everybody.',
      swiss: 'In each round, players with similar points meet.',
      arena: 'Players who are free get the next match, until time is up.',
    },
    statuses: { registration: 'Registration', playing: 'Playing', finished: 'Finished', cancelled: 'Cancelled' },
    reasons: {
      by_organiser: 'Its organiser cancelled it.',
      by_operator: 'An operator cancelled it.',
      too_few_players: 'Too few players were present.',
    },
    left: { withdrew: 'withdrew', removed: 'removed', absent: 'was absent', not_checked_in: 'did not check in' },
    players: (/** @type {number} */ count) => counted(count, 'player', 'players'),
    playersOf: (/** @type {number} */ count, /** @type {number} */ most) => `${count} of at most ${most} players`,
    round: (/** @type {number} */ number) => `Round ${number}`,
    roundOf: (/** @type {number} */ number, /** @type {number} */ rounds) => `Round ${number} of ${rounds}`,
    rounds: (/** @type {number} */ count) => counted(count, 'round', 'rounds'),
    minutes: (/** @type {number} */ count) => counted(count, 'minute', 'minutes'),
    hours: (/** @type {number} */ count) => counted(count, 'hour', 'hours'),
    days: (/** @type {number} */ count) => counted(count, 'day', 'days'),

    /** The page of all tournaments. */
    list: {
      title: 'Tournaments',
      lead: 'Round robins, Swiss systems and arenas, open to everybody. All matches are rated.',
      make: 'Create a tournament',
      missing: 'The tournaments could not be loaded.',
      upcoming: 'Upcoming',
      playing: 'Now playing',
      ended: 'Finished',
      none: 'No tournament is open at the moment. Create one, and others will find it here.',
      more: 'More',
      starts: (/** @type {string} */ time) => `Starts ${time}`,
      started: (/** @type {string} */ time) => `Started ${time}`,
    },

    /** The page of a tournament. */
    page: {
      all: 'All tournaments',
      missing: 'The tournament could not be loaded.',
      unknown: 'Tournament not found',
      untitled: 'Tournament',
      game: 'Game',
      format: 'Format',
      clock: 'Clock',
      start: 'Start',
      entries: 'Players',
      organiser: 'Organiser',
      operator: 'Turnstream',
      lateEntry: 'You can also enter after the start.',
      bots: 'Programs may take part.',
      arenaLasts: (/** @type {string} */ time) => `Arena, ${time}`,
      startsIn: (/** @type {string} */ time) => `Starts in ${time}`,
      startsSoon: 'Starts any moment',
      checkInFrom: (/** @type {string} */ time) => `Check-in opens in ${time}; those who do not check in cannot play.`,
      checkInNow: 'Check in now: those who do not check in cannot play.',
      nextRoundIn: (/** @type {string} */ time) => `The next round begins in ${time}`,
      nextRoundSoon: 'The next round is being paired',
      endsIn: (/** @type {string} */ time) => `${time} left for new matches`,
      lastMatches: 'Time is up. The last matches are being played.',
      playing: (/** @type {number} */ count) => counted(count, 'match is being played', 'matches are being played'),
      winner: (/** @type {string} */ names) => `Won by ${names}`,
      register: 'Take part',
      comeBack: 'Come back',
      withdraw: 'Withdraw',
      confirmWithdraw: 'Yes, withdraw',
      checkIn: 'Check in',
      begin: 'Begin now',
      confirmBegin: 'Yes, begin now',
      cancel: 'Cancel the tournament',
      confirmCancel: 'Yes, cancel it',
      keep: 'No',
      remove: 'Remove',
      removePlayer: (/** @type {string} */ name) => `Remove ${name}`,
      confirmRemove: (/** @type {string} */ name) => `Yes, remove ${name}`,
      organise: 'You organise this tournament.',
      youAreIn: 'You take part.',
      youAreCheckedIn: 'You take part, and are checked in.',
      youLeft: {
        withdrew: 'You have withdrawn.',
        removed: 'You were removed.',
        absent: 'You were absent twice in a row, so you get no further match.',
        not_checked_in: 'You did not check in.',
      },
      yourMatch: (/** @type {string} */ names) => `Your match against ${names}`,
      yourMatchSoon: (/** @type {string} */ names) => `Your match against ${names} begins in a moment`,
      go: 'Go to your match',
      goingBy: 'You will be taken there when it begins.',
      yourBye: 'You have a bye in this round.',
      youWait: 'You are waiting for your next match.',
      notified: 'Stay on this page: your next match opens automatically.',
    },

    banner: {
      label: 'A match of a tournament',
      alert: 'Your match begins',
      begun: (/** @type {string} */ title) => `${title}: your match has begun`,
    },

    standings: {
      title: 'Standings',
      entered: 'Players',
      rank: 'Rank',
      player: 'Player',
      rating: 'Rating',
      points: 'Points',
      played: 'Played',
      tieBreaks: { buchholz: 'Buchholz', sonneborn_berger: 'Sonneborn-Berger', wins: 'Wins' },
      you: 'you',
      bot: 'bot',
      isPlaying: 'playing',
      nobody: 'Nobody has entered yet.',
      pages: 'Pages of the standings',
      top: 'Top',
      before: 'Before',
      after: 'After',
      around: 'Around me',
      shown: (/** @type {number} */ first, /** @type {number} */ last, /** @type {number} */ total) =>
        `${first} to ${last} of ${total}`,
    },

    tables: {
      title: 'Matches',
      rounds: 'Rounds',
      none: 'No match has been paired yet.',
      missing: 'The matches of this round could not be loaded.',
      watch: 'Watch',
      open: 'Go',
      review: 'Review',
      soon: 'begins',
      closed: 'closed',
      byes: (/** @type {string} */ names) => `No match in this round: ${names}`,
      waiting: (/** @type {string} */ names) => `Waiting for a match: ${names}`,
      absent: 'absent',
      more: 'Earlier matches',
    },

    /** The dialog that creates a tournament. */
    create: {
      title: 'New tournament',
      name: 'Title',
      exampleName: 'Friday night',
      game: 'Game',
      format: 'Format',
      clock: 'Clock',
      starts: 'Start',
      rounds: 'Rounds',
      automatic: 'As many as it takes',
      duration: 'Duration',
      checkIn: 'Check-in',
      noCheckIn: 'None',
      checkInLast: (/** @type {string} */ time) => `In the last ${time}`,
      most: 'Maximum number of players',
      unlimited: 'As many as possible',
      lateEntry: 'Late entry',
      bots: 'Programs may take part',
      rules: 'Rules of the game',
      more: 'More',
      create: 'Create',
      past: 'Choose a start in the future.',
    },
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
