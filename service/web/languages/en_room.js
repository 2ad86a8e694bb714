/** The English texts of rooms: forms, people and settings, and what happens in every match. */

export const TEXTS = {
  forms: {
    cancel: 'Cancel',
    save: 'Save',
    yes: 'yes',
    no: 'no',
    nickname: 'Your nickname',
    whatName: 'What should others call you?',
    devices: 'My devices, recovery code, blocked players',
    profile: 'My profile',
    nameNote: 'No account and no e-mail. In rooms that you have joined, your name does not change.',
    fromNextMatch: 'From the next match on',
    nameOfPlayer: (/** @type {string} */ colour) => `Name the player of ${colour}`,
    name: 'Name',
  },

  /** The levels of bots. */
  levels: {
    easy: 'easy',
    casual: 'casual',
    medium: 'medium',
    skilled: 'skilled',
    hard: 'hard',
    expert: 'expert',
    external: 'bot',
  },

  /** The bots as characters, by level. */
  characters: {
    option: (/** @type {string} */ name, /** @type {string} */ level) => `${name} · ${level}`,
    sentences: {
      easy: 'A chick that plays whatever shines, and never minds losing.',
      casual: 'A cat that plays for fun, and sees a trap when it feels like it.',
      medium: 'A bear that thinks before it moves, and likes to be surprised.',
      skilled: 'A fox that knows the tricks, and leaves few of them out.',
      hard: 'An owl that watches everything, and forgives no careless move.',
      expert: 'A lion that calculates to the end. Bring your best day.',
    },
    record: (/** @type {number} */ won, /** @type {number} */ drawn, /** @type {number} */ lost) =>
      `You: ${won} won, ${drawn} drawn, ${lost} lost`,
    noRecord: 'You have not played each other yet.',
  },

  create: {
    roomName: 'Name of the room',
    roomNameNote: '(chosen for you if empty)',
    exampleName: 'Friday Night',
    rules: 'Rules',
    room: 'Room',
    open: 'Open the room',
    play: 'Play',
    who: 'Who plays?',
    others: 'With others',
    othersNote: (/** @type {number} */ players) =>
      `${counted(players, 'player joins', 'players join')} by link or from the lobby`,
    bots: 'Against bots',
    botsNote: (/** @type {number} */ bots) => `${counted(bots, 'bot', 'bots')}, and the match begins at once`,
    device: 'On this device',
    deviceNote: (/** @type {number} */ players) => `${counted(players, 'player', 'players')} take turns here`,
    level: 'Level of the bots',
    listed: 'Bots that others run can be challenged:',
    challenge: 'Challenge …',
    challengeBot: (/** @type {string} */ button, /** @type {string} */ bot) => `${button}: ${bot}`,
  },

  join: {
    join: 'Join and take a seat',
    watch: 'Watch',
    name: 'Your name',
    madeUp: 'or we make one up',
    takeSeat: 'Take a seat',
    password: 'Password, if it is private',
    enter: 'Enter',
  },

  settings: {
    visibility: {
      label: 'Who can find the room',
      public: 'Everybody, in the lobby',
      unlisted: 'Anyone who knows its name',
      private: 'Anyone who knows the password',
      password: 'Password',
    },
    rated: {
      label: 'Rated',
      no: 'no',
      yes: 'yes',
      note: 'With a clock and without bots. There are no hints or takebacks, and leaving the match loses it.',
    },
    start: {
      label: 'A match begins when',
      ready: 'everybody is ready',
      full: 'all seats are taken',
      creator: 'I start it',
    },
    restart: { label: 'The next match begins', ready: 'when everybody is ready' },
    clock: {
      label: 'Clock',
      none: 'None',
      perMove: (/** @type {number} */ ms) => `${duration(ms)} per move`,
      fischer: (/** @type {number} */ initial, /** @type {number} */ increment) =>
        `${duration(initial)} + ${duration(increment)} per move`,
      days: (/** @type {number} */ days) => `${counted(days, 'day', 'days')} per move`,
    },
    timeout: {
      label: 'When the time is up',
      lose: 'the match is lost',
      random_move: 'a random move is made',
      bot_move: 'a bot moves',
    },
    grace: { label: 'A win can be claimed against an absent player' },
    botPause: { label: 'Bots move' },
    botsResign: { label: 'Bots resign', lost: 'once they have lost', never: 'never' },
    seats: { label: 'Seats in the next match', keep: 'stay the same', rotate: 'rotate' },
    series: { label: 'Series', none: 'None', bestOf: (/** @type {number} */ matches) => `Best of ${matches}` },
    hints: { label: 'Hints', bots_only: 'when all opponents are bots', off: 'never', on: 'always' },
    spectators: { label: 'Spectators', allowed: 'are allowed', refused: 'are not allowed' },
    /** When something happens, in milliseconds. */
    after: (/** @type {number} */ ms) => (ms ? `after ${ARTICLES[ms] ?? duration(ms)}` : 'at once'),
  },

  table: {
    of: (/** @type {string} */ host) => `${host}’s table`,
    title: (/** @type {string} */ table, /** @type {string} */ game) => `${table}: ${game}`,
    rules: 'All rules',
    seatsFree: (/** @type {number} */ seats) => `${counted(seats, 'seat', 'seats')} free`,
    setting: (/** @type {string} */ label, /** @type {string} */ value) => `${label}: ${value}`,
    invite: 'Invite somebody',
    inviteNote: 'With a link or a QR code that leads to a seat with one click.',
    inviteButton: 'Invite …',
    copy: 'Copy the link to the room',
    copied: 'The link has been copied. Send it to the people who should join.',
    link: (/** @type {string} */ link) => `The link to this room: ${link}`,
  },

  room: {
    loading: 'Loading the room …',
    notFound: 'Room not found',
    notFoundNote: 'No open room has this name, or it is private.',
    notShown: 'This room cannot be shown',
    copyLink: 'Copy link',
    rated: 'Rated',
    watching: (/** @type {number} */ people) => `${people} watching`,
    beside: 'Beside the board',
    moves: 'Moves',
    chat: 'Chat',
    chatNew: (/** @type {number} */ lines) => `Chat (${lines} new)`,
    room: 'Room',
    seatNumber: (/** @type {number} */ number) => `seat ${number}`,
    seatName: (/** @type {string} */ colour, /** @type {string} */ player) => `${colour} (${player})`,
    picked: (/** @type {string} */ steps) => `${steps} picked. Escape puts it back.`,
    putBack: 'Put back.',
    inPast: 'This is an earlier position. Go back to now to play.',
    notPlaying: 'No match is running.',
    spectating: 'You are watching. Take a seat to play.',
    pending: 'Your move has been sent. Waiting for the answer.',
    notYourTurn: (/** @type {string} */ seats) => `It is not your turn: ${seats} to move.`,
    noMove: (/** @type {string} */ cell) => `No move is possible at ${cell}.`,
    yourTurn: 'Your turn.',
    youPlay: (/** @type {string} */ colours) => `You play ${colours} now.`,
    noSeat: 'You have no seat now: you are watching.',
    handOver: (/** @type {string} */ player) => `Hand the device to ${player}. The others should look away.`,
    iAm: (/** @type {string} */ player) => `I am ${player}`,
    premove: (/** @type {string} */ move) => `Premove ${move}. Escape cancels it.`,
    premoveCancelled: 'Premove cancelled.',
    premoveImpossible: 'Your premove is no longer possible.',
  },

  people: {
    here: 'Here',
    hereAndWatching: (/** @type {number} */ people) => `Here, and ${people} watching`,
    you: (/** @type {string} */ name) => `${name} (you)`,
    manages: 'manages the room',
    watches: 'watches',
    hide: 'Hide messages',
    show: 'Show messages',
    mute: 'Mute for all',
    unmute: 'Unmute',
    remove: 'Remove',
    removeName: (/** @type {string} */ name) => `Remove ${name}`,
    departed: 'A player who left',
    series: (/** @type {number} */ matches, /** @type {boolean} */ isDecided) =>
      `Best of ${matches}${isDecided ? ', decided' : ''}`,
    noneCounted: 'No match has counted yet.',
    rules: 'Rules of this room',
    change: 'Change for the next match',
    leaveSeat: 'Leave the seat',
    leave: 'Leave the room',
    close: 'Close the room',
    closeForAll: 'Yes, close it for all',
  },

  seats: {
    label: 'Seats',
    onBoard: 'On the board',
    you: 'you',
    free: 'free',
    here: 'here',
    away: 'away',
    ready: 'ready',
    time: (/** @type {string} */ colour, /** @type {string} */ time) => `${colour}’s time: ${time}`,
    removeBot: 'Remove',
    removeBotOf: (/** @type {string} */ colour) => `Remove the bot of ${colour}`,
    goneFor: (/** @type {number} */ seconds) => `gone, claim in ${seconds} s`,
    gone: (/** @type {string} */ colour) => `${colour} is gone`,
    claimWin: 'Claim win',
    claimDraw: 'Draw',
    letBotPlay: 'Let a bot play',
    sit: 'Sit here',
    sitAs: (/** @type {string} */ colour) => `Sit here, as ${colour}`,
    addBot: 'Add a bot',
    addBotAs: (/** @type {string} */ colour) => `Add a bot as ${colour}`,
    swap: 'Swap',
    swapPlayer: (/** @type {string} */ colour) => `Swap the player of ${colour} with another seat`,
    chooseOther: 'Choose the other seat.',
    stay: 'Stay',
    swapHere: 'Here',
    swapWith: (/** @type {string} */ colour) => `Here. Swap with ${colour}`,
    out: 'out',
    rolled: (/** @type {number | string} */ value) => `rolled ${value}`,
  },

  status: {
    lookingBack: 'Looking back: ',
    lookingBackAt: 'Looking back at ',
    yourTurnNow: 'It is your turn now.',
    backToNow: 'Back to now',
    toRoom: 'To the room',
    clocks: (/** @type {string} */ clocks) => `Now: ${clocks}.`,
    clock: (/** @type {string} */ colour, /** @type {string} */ time) => `${colour} ${time}`,
    closed: 'This room is closed.',
    chooses: (/** @type {string} */ seat) => `${seat} chooses`,
    yourTurn: 'Your turn',
    oneMoment: 'One moment …',
    toMove: (/** @type {string} */ seats) => `${seats} to move`,
    watching: 'You are watching.',
    nextIn: (/** @type {number} */ seconds) => `The next match begins in ${seconds} s.`,
    nextByCreator: 'The next match begins when the creator starts it.',
    you: 'you',
    out: 'You have nothing left on the board',
    outNote: 'The others play on.',
    faster: 'Watch faster',
    nextWaitsFor: (/** @type {string} */ names) => `The next match waits for ${names}.`,
    review: 'Review',
    share: 'Share',
    rematch: 'Rematch',
    tournament: 'To the tournament',
    notYet: 'Not yet',
    series: (/** @type {number} */ matches, /** @type {string} */ scores, /** @type {boolean} */ isDecided) =>
      `Best of ${matches}: ${scores || 'no match has counted yet'}${isDecided ? ', decided' : ''}.`,
    unknownPlayer: 'unknown',
    inviteOthers: 'Invite the others.',
    full: 'All seats are taken.',
    byCreator: 'The match begins when the creator starts it.',
    start: 'Start',
    unready: (/** @type {string} */ names) => `Not ready yet: ${names}.`,
    waitingFor: (/** @type {number} */ players) => `Waiting for ${counted(players, 'more player', 'more players')}`,
    ready: 'Ready',
    notReady: 'Not ready',
  },

  actions: {
    thisMove: 'This move',
    putBack: 'Put back',
    thisMatch: 'This match',
    hint: 'Hint',
    takeBack: 'Take back',
    undo: 'Undo',
    offerDraw: 'Offer a draw',
    help: 'Help',
    possible: (/** @type {number} */ moves) => `${moves} moves are possible.`,
    botWould: (/** @type {string} */ move) => `A bot would ${move}.`,
    /** A move as the end of "A bot would". */
    clause: (/** @type {string} */ type, /** @type {string} */ cells) => `${type} ${cells}`.trim(),
    resign: 'Resign',
    yesResign: 'Yes, resign',
    no: 'No',
    match: 'Match …',
    matchMenu: 'Match',
    restart: 'Restart',
    yesRestart: 'Yes, restart',
    newMatch: 'New match',
    yesNewMatch: 'Yes, a new match',
    endsWithoutResult: 'This match ends without a result.',
    playOn: 'No, play on',
  },

  /** The types of moves, as buttons. */
  moveTypes: { place: 'Place', move: 'Move', flip: 'Flip', remove: 'Remove', select: 'Select', commit: 'Commit' },

  /** Offers: of another player, and of this one. */
  offers: {
    label: 'Offers',
    made: {
      draw: (/** @type {string} */ player) => `${player} offers a draw.`,
      takeback: (/** @type {string} */ player) => `${player} would like to take a move back.`,
      restart: (/** @type {string} */ player) => `${player} would like to restart the match.`,
      new: (/** @type {string} */ player) => `${player} would like a new match.`,
      kick: (/** @type {string} */ player) => `${player} would like to remove a player.`,
    },
    you: 'You',
    own: {
      draw: (/** @type {string} */ you) => `${you} have offered a draw.`,
      takeback: (/** @type {string} */ you) => `${you} have asked to take a move back.`,
      restart: (/** @type {string} */ you) => `${you} have asked to restart the match.`,
      new: (/** @type {string} */ you) => `${you} have asked for a new match.`,
      kick: (/** @type {string} */ you) => `${you} have asked to remove a player.`,
    },
    waitingFor: (/** @type {string} */ players) => `Waiting for ${players}.`,
    accept: 'Accept',
    decline: 'Decline',
    withdraw: 'Withdraw',
  },

  results: {
    /** Why matches end. */
    reasons: {
      most_discs: 'most discs',
      most_cells: 'most cells',
      all_black: 'all black',
      resigned: 'by resignation',
      timed_out: 'on time',
      forfeited: 'by forfeit',
      agreed: 'agreed',
      repetition: 'the same position three times',
      quiet_limit: 'too many turns without progress',
      round_limit: 'the last round is over',
      restarted: 'restarted',
      replaced: 'replaced by a new match',
      closed: 'the room was closed',
      rules_changed: 'the rules have changed since it began',
    },
    /** Why matches end, with the seat that it was. */
    reasonsOf: {
      too_few_men: (/** @type {string} */ seat) => `${seat} has only two men left`,
      no_legal_move: (/** @type {string} */ seat) => `${seat} has no move left`,
      line: (/** @type {string} */ seat) => `${seat} has made a line`,
    },
    notCounted: 'The match does not count',
    draw: 'A draw',
    wins: (/** @type {string} */ seat) => `${seat} wins`,
    won: (/** @type {string} */ player, /** @type {number} */ margin) =>
      `${player} won${margin ? ` by ${margin}` : ''}`,
    youWon: (/** @type {number} */ margin) => `You won${margin ? ` by ${margin}` : ''}`,
    share: (/** @type {string} */ players) => `${players} share first place`,
    youShare: (/** @type {string} */ others) => `You and ${others} share first place`,
    because: (/** @type {string} */ result, /** @type {string} */ reason) => `${result}: ${reason}.`,
  },

  /** How it came to a result, for a player. */
  ending: {
    ledUntil: (/** @type {number} */ move) => `You led until move ${move}.`,
    neverLed: 'You never had the lead.',
    leadFrom: (/** @type {number} */ move) => `You have led since move ${move}.`,
    alwaysLed: 'You led from the first move to the last.',
  },

  /** The picture of the end of a match. */
  sharing: {
    text: (/** @type {string} */ game, /** @type {string} */ result) => `${game}: ${result}`,
    saved: (/** @type {string} */ file) => `The picture has been saved as ${file}.`,
  },

  /** What has happened, in sentences. */
  events: {
    roomOpened: 'The room was opened.',
    positionCopied: 'The matches begin at a position of another match.',
    startCalled: 'The match is about to begin.',
    invitationMade: 'An invitation was created.',
    invitationDeclined: (/** @type {string} */ nickname) => `${nickname} has declined an invitation.`,
    invitationRevoked: 'An invitation was revoked.',
    passed: (/** @type {string} */ seat) => `${seat} cannot move and passes.`,
    isOut: (/** @type {string} */ seat) => `${seat} has nothing left on the board and only passes from now on.`,
    rolled: (/** @type {string} */ seat, /** @type {number | string} */ value) => `${seat} rolled ${value}.`,
    dropped: (/** @type {string} */ seat, /** @type {string} */ reason) => `${seat} is out: ${reason}.`,
    dropReasons: { resigned: 'resigned', timed_out: 'timed out', forfeited: 'forfeited' },
    placed: (/** @type {string} */ seat, /** @type {string} */ cell, /** @type {number} */ captured) =>
      `${seat} placed at ${cell}${captured ? ` and captured ${captured}` : ''}.`,
    matchStarted: 'The match begins.',
    takenBack: (/** @type {string} */ seat) => `A move was taken back: it is the turn of ${seat} again.`,
    offerAccepted: (/** @type {string} */ player) => `${player} accepts.`,
    offerAgreed: 'Agreed.',
    offerDeclined: (/** @type {string} */ player) => `${player} declined.`,
    offerWithdrawn: (/** @type {string} */ player) => `${player} withdrew the offer.`,
    offerExpired: 'The offer has expired.',
    timeRanOut: (/** @type {string} */ seat) => `${seat} has run out of time.`,
    clocksExtended: 'The service was down: the clocks were extended by that time.',
    joined: (/** @type {string} */ player) => `${player} joined.`,
    joinedToWatch: (/** @type {string} */ player) => `${player} joined as a spectator.`,
    left: (/** @type {string} */ player) => `${player} left.`,
    somebody: 'Somebody',
    youWereRemoved: 'You were removed from the room.',
    removed: (/** @type {string} */ player) => `${player} was removed.`,
    seatTaken: (/** @type {string} */ player, /** @type {string} */ colour) => `${player} takes the seat of ${colour}.`,
    seatLeft: (/** @type {string} */ player, /** @type {string} */ colour) => `${player} leaves the seat of ${colour}.`,
    deserted: (/** @type {string} */ seat) => `${seat} has lost the connection.`,
    returned: (/** @type {string} */ seat) => `${seat} is back.`,
    seatsAssigned: 'The seats were assigned.',
    ready: (/** @type {string} */ player) => `${player} is ready.`,
    notReady: (/** @type {string} */ player) => `${player} is not ready.`,
    manages: (/** @type {string} */ player) => `${player} now manages the room.`,
    muted: (/** @type {string} */ player) => `${player} was muted.`,
    unmuted: (/** @type {string} */ player) => `${player} may write again.`,
    nextVetoed: (/** @type {string} */ player) => `${player} postpones the next match.`,
    nextConfigured: 'The rules of the next match were changed.',
    configured: 'The rules of the room were changed.',
    closed: 'The room was closed.',
    other: (/** @type {string} */ seat, /** @type {string} */ event) => `${seat}: ${event}.`,
    otherWithoutSeat: (/** @type {string} */ event) => `${event}.`,
  },

  /** Entries of the list of moves. */
  plies: {
    passed: 'pass',
    dropped: 'out',
    rolled: (/** @type {number | string} */ value) => `rolls ${value}`,
    began: 'begins',
  },
};

/** Times with an article instead of a number, in milliseconds. @type {Record<number, string>} */
const ARTICLES = { 1000: 'a second', 60_000: 'a minute', 3_600_000: 'an hour' };

/** @param {number} ms */
function duration(ms) {
  return ms >= 60_000 && ms % 60_000 === 0
    ? counted(ms / 60_000, 'minute', 'minutes')
    : counted(ms / 1000, 'second', 'seconds');
}

/**
 * @param {number} count
 * @param {string} one
 * @param {string} more
 */
function counted(count, one, more) {
  return `${count} ${count === 1 ? one : more}`;
}
