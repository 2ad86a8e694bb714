/**
 * The English texts of what all pages have in common, of the lobby, the chat and the page that is shown offline. The
 * other parts are `en_room.js` and `en_games.js`. Functions take what is filled in. Other languages have the same
 * texts, with as many parameters.
 */

export const TEXTS = {
  page: {
    description: 'Board games for two or three players, without an account.',
    language: 'Language / Sprache',
    notLoaded: 'This page could not be loaded',
    notLoadedReason: 'The server cannot be reached, or it has just been updated.',
    reload: 'Reload',
    titleOnTurn: (/** @type {number} */ rooms, /** @type {string} */ title) => `(${rooms}) Your turn · ${title}`,
    skip: 'Skip to content',
    home: 'Turnstream, to the lobby',
    messages: 'Messages',
    connecting: 'Connecting …',
    reconnecting: 'Connection lost, trying again …',
    closed: 'Disconnected. Reload the page.',
    youAre: (/** @type {string} */ nickname) => `You are ${nickname}. Change your name`,
    chooseName: 'Choose your name',
    themes: { device: 'Colours: device. Change', light: 'Colours: light. Change', dark: 'Colours: dark. Change' },
    soundOn: 'Sound: on. Turn off',
    soundOff: 'Sound: off. Turn on',
    notify: 'Notify me',
    notifyNote: 'When it is your turn, even while this page is hidden',
    lobby: 'Lobby',
    toLobby: 'To the lobby',
    rules: 'Rules',
    learn: 'Learn',
  },

  problems: {
    newGuest: 'Your token is no longer accepted. You are a new guest now: try again.',
    newToken: 'Your token is no longer accepted. Another tab has a new one: try again.',
    unreachable: 'The server cannot be reached.',
    /** The code is one of `service/api/close_codes.py`; the reason is that of the server, in English. */
    closed: (/** @type {number} */ _code, /** @type {string} */ reason) =>
      `The server closed the connection: ${reason}.`,
    tryAgainIn: (/** @type {string} */ problem, /** @type {number} */ seconds) =>
      `${problem} Try again in ${seconds} s.`,
    tryingAgain: (/** @type {string} */ what, /** @type {string} */ problem) => `${what} ${problem} Trying again …`,
  },

  time: {
    dateAndTime: (/** @type {string} */ date, /** @type {string} */ time) => `${date}, ${time}`,
    daysAndHours: (/** @type {number} */ days, /** @type {number} */ hours) => `${days} d ${hours} h`,
    today: 'today',
    justNow: 'just now',
    minutesAgo: (/** @type {number} */ minutes) => `${minutes} min ago`,
    hoursAgo: (/** @type {number} */ hours) => `${hours} h ago`,
    daysAgo: (/** @type {number} */ days) => `${days} d ago`,
  },

  /** What names of guests who choose none are made of: one of each, separated by a space, at most 24 characters. */
  names: {
    first:
      'Bold Brave Bright Calm Clever Curious Eager Gentle Happy Jolly Keen Kind Lucky Merry Nimble Quick Quiet Witty',
    second:
      'Badger Beaver Crane Dolphin Falcon Hare Heron Ibex Lynx Marten Otter Owl Panda Puffin Raven Robin Seal Swan',
  },

  /** What the page calls the bots of a level: the first of a room, and its sibling. */
  bots: {
    easy: ['Pip', 'Pia'],
    casual: ['Momo', 'Mimi'],
    medium: ['Otto', 'Olga'],
    skilled: ['Vera', 'Viktor'],
    hard: ['Ida', 'Igor'],
    expert: ['Kasimir', 'Katinka'],
  },

  lobby: {
    welcome: 'Pull up a chair.',
    noSuchPage: 'There is no such page.',
    lead: 'Five board games for two or three. Choose one and play: no account, no waiting.',
    games: 'Games',
    gamesMissing: 'The games could not be loaded.',
    play: 'Play',
    playGame: (/** @type {string} */ game) => `Play ${game}`,
    find: 'Find an opponent',
    findGame: (/** @type {string} */ game) => `Find an opponent for ${game}`,
    findMany: 'Find opponents',
    findManyGame: (/** @type {string} */ game) => `Find opponents for ${game}`,
    friends: 'Friends',
    friendsGame: (/** @type {string} */ game) => `Friends: play ${game} with others`,
    options: 'Options',
    optionsOf: (/** @type {string} */ game) => `Options of ${game}`,
    learnGame: (/** @type {string} */ game) => `Learn ${game}`,
    rulesOf: (/** @type {string} */ game) => `Rules of ${game}`,
    againstBot: 'against a bot',
    againstBots: 'against bots',
    againstPeople: 'against people',
    chat: 'Chat',
    api: 'The API',
    feeds: 'The feeds',
    ratings: 'Ratings and leaderboards',
    tournaments: 'Tournaments',
    nothingElse: 'This site uses nothing else.',
  },

  rooms: {
    own: 'Your rooms',
    you: 'you',
    ownMissing: 'Your rooms could not be loaded.',
    open: 'Open rooms',
    openMissing: 'The rooms could not be loaded.',
    none: 'Nobody is waiting for players at the moment. Open a room, and others will see it here.',
    watchCount: (/** @type {number} */ matches) => `Watch (${matches})`,
    allGames: 'All',
    game: 'Game',
    seatsFree: (/** @type {number} */ seats) => `${counted(seats, 'seat', 'seats')} free`,
    join: 'Join',
    watch: 'Watch',
    goOn: 'Continue',
    yourTurn: 'your turn',
    statuses: { open: 'open', playing: 'playing', finished: 'finished', closed: 'closed' },
    rated: 'rated',
    joinByName: 'Join a room by its name',
    exampleName: 'friday-night',
    go: 'Go',
  },

  chat: {
    title: 'Chat',
    lines: 'Messages',
    empty: 'No messages yet.',
    missing: 'The messages could not be loaded.',
    lobby: 'Lobby',
    thisRoom: 'This room',
    otherRoom: 'Another room',
    shown: 'Messages to show',
    views: { all: 'All', lobby: 'Lobby', room: 'This room' },
    withNew: (/** @type {string} */ view, /** @type {number} */ lines) => `${view} (${lines} new)`,
    /** The name of a player who was declared a bot. */
    bot: (/** @type {string} */ nickname) => `${nickname} (bot)`,
    person: (/** @type {string} */ nickname) => `${nickname}: challenge or block`,
    joinToWrite: 'Join to write.',
    sayHello: 'Say hello',
    /** In place of the text of an erased player. */
    erased: '(deleted)',
    write: 'Write a message, or /ready',
    to: 'To',
    line: 'Message',
    send: 'Send',
  },

  offline: {
    title: 'Offline · Turnstream',
    heading: 'You are offline',
    reason:
      'Turnstream is played with others, so it needs a connection. Your rooms and your seats are kept; this page ' +
      'continues automatically when the server can be reached.',
    again: 'Try again',
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
