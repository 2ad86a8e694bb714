/** The English texts about other people: invitations, quick play and notifications. */

export const TEXTS = {
  invitation: {
    invites: (/** @type {string} */ host, /** @type {string} */ game) => `${host} invites you: ${game}`,
    loading: 'Opening the invitation …',
    seatsFree: (/** @type {number} */ free, /** @type {number} */ seats) =>
      free ? `${free} of ${seats} seats ${free === 1 ? 'is' : 'are'} free` : 'All seats are taken',
    seat: (/** @type {string} */ colour) => `You would play ${colour}`,
    playing: 'The match has begun',
    setting: (/** @type {string} */ label, /** @type {string} */ value) => `${label}: ${value}`,
    join: 'Join',
    watch: 'Watch',
    decline: 'No, thanks',
    name: 'Your name',
    madeUp: 'or we make one up',
    rules: 'All rules',
    expires: (/** @type {string} */ time) => `Open until ${time}`,
    declined: 'You have declined',
    declinedNote: (/** @type {string} */ host) => `${host} can see that you are not coming.`,
    joinAfterAll: 'Join after all',
    ended: 'This invitation is over',
    reasons: {
      room_closed: 'The room has been closed.',
      revoked: 'It has been withdrawn.',
      used_up: 'Everybody who was invited has already come.',
      expired: 'It was valid for a limited time only.',
    },
    askAgain: 'Ask for a new one.',
    unknown: 'There is no such invitation',
    unknownNote: 'The link may be incomplete: check it, or ask for it again.',
    notShown: 'The invitation cannot be shown',
  },

  invite: {
    title: 'Invite',
    note: 'Those who open the link see what is played here, and join with one click, without a password.',
    link: 'Link',
    copy: 'Copy',
    copied: 'The link has been copied.',
    notCopied: 'The link could not be copied. It is selected: copy it yourself.',
    share: 'Share …',
    shareTitle: (/** @type {string} */ game) => `Play ${game} with me`,
    code: 'QR code of the link',
    scan: 'Scan it with a phone',
    whom: 'For whom',
    people: (/** @type {number} */ players) => counted(players, 'player', 'players'),
    seat: (/** @type {string} */ colour) => `one player, as ${colour}`,
    make: 'New link',
    open: 'Your open invitations',
    show: 'Show',
    shown: 'shown above',
    revoke: 'Withdraw',
    revokeNumber: (/** @type {number} */ number) => `Withdraw invitation ${number}`,
    showNumber: (/** @type {number} */ number) => `Show invitation ${number}`,
    by: (/** @type {string} */ player) => `by ${player}`,
    used: (/** @type {number} */ used, /** @type {number} */ uses) => `${used} of ${uses} joined`,
    declined: (/** @type {number} */ players) => `${players} declined`,
    until: (/** @type {string} */ time) => `until ${time}`,
    close: 'Done',
  },

  /** Notifications of the browser. */
  notices: {
    on: 'Notifications are on.',
    off: 'Notifications are off.',
    denied: 'Your browser does not allow notifications of this site. Its settings can change that.',
    turn: 'Your turn',
    began: 'The match begins',
    found: 'Match found!',
    offers: {
      draw: 'A draw is offered',
      takeback: 'A move is to be taken back',
      restart: 'The match is to begin again',
      new: 'A new match is proposed',
      kick: 'Somebody is to be removed',
    },
  },

  /** The way to the next room. */
  tables: {
    next: (/** @type {number} */ rooms) => `Next table (${rooms})`,
    none: 'It is not your turn in another room.',
    yourTurn: (/** @type {string} */ room) => `Your turn in ${room}.`,
  },

  /** Quick play. */
  quick: {
    label: 'Quick play',
    title: (/** @type {string} */ game) => `Find an opponent: ${game}`,
    titleMany: (/** @type {string} */ game) => `Find opponents: ${game}`,
    lead: 'Choose a clock. The match begins as soon as others look for the same.',
    clock: 'Clock',
    anyClock: 'Any clock',
    anyNote: 'is found fastest',
    waiting: (/** @type {number} */ players) => `${players} waiting`,
    players: 'Players',
    anyNumber: (/** @type {number[]} */ numbers) => numbers.join(' or '),
    rated: 'Rated',
    ratedNote: 'With a clock, without hints, and nothing is taken back.',
    looking: (/** @type {string} */ game) => `Looking for a match: ${game}`,
    elapsed: 'Time that you have waited',
    cancel: 'Cancel',
    opening: 'Match found. The room is being opened …',
    found: (/** @type {string} */ game) => `Match found: ${game}`,
    foundTitle: 'Match found!',
    go: 'Your room is being opened:',
    ready: 'You are ready. Waiting for the others:',
    asked: 'You are in another match. The room waits for you:',
    goThere: 'Go there',
    notNow: 'Not now',
    left: 'Time that the room waits',
    seconds: (/** @type {number} */ seconds) => `${seconds} s`,
    resumed: 'Somebody did not appear. The search goes on.',
    absent: 'You were not there in time, so the search has ended.',
    refused: 'You could not enter the room, so the search has ended.',
    paused: (/** @type {string} */ time) =>
      `You were not there for three matches in a row. You can search again at ${time}.`,
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
