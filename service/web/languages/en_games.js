/** The English texts of games: their boards, and what is there to look at matches again and to learn. */

export const TEXTS = {
  /** Boards of all games. */
  board: {
    label: 'Board',
    cell: (/** @type {string} */ name, /** @type {string} */ content) => `${name}, ${content}`,
    empty: 'empty',
    wall: 'a wall',
    picked: 'picked',
    goodMove: 'a good move',
    premove: 'premove',
    playable: 'can be played',
  },

  ternio: {
    phase: 'Place a disc where it captures: on a cross.',
    capturesNothing: 'A disc there captures nothing. The crosses show where you can play.',
    disc: (/** @type {string} */ colour) => `${colour} disc`,
    lastDisc: (/** @type {string} */ colour) => `${colour} disc, placed last`,
  },

  triboard: {
    phase: 'Choose an empty cell from which you jump over others to a cell of your own.',
    noJump: 'There is no jump from there. Help shows where there is one.',
    took: (/** @type {string} */ seat, /** @type {string} */ cell, /** @type {number} */ jumped) =>
      `${seat} took ${cell}${jumped ? ` and jumped over ${jumped}` : ''}.`,
    cell: (/** @type {string} */ colour) => `${colour} cell`,
    lastCell: (/** @type {string} */ colour) => `${colour} cell, taken last`,
  },

  morris: {
    count: 'Men left',
    remove: (/** @type {number} */ men) => `A mill! Remove ${men === 1 ? 'a man' : `${men} men`} of your opponent.`,
    placing: (/** @type {number} */ men) => `Placing: ${men} ${men === 1 ? 'man' : 'men'} in hand.`,
    flying: 'Flying: move a man to any empty point.',
    moving: 'Moving: move a man along a line to the next empty point.',
    removeOne: 'Remove one of your opponent’s men.',
    ownMan: 'That is your own man. Remove one of your opponent’s.',
    safe: 'That man is in a mill and is safe.',
    taken: 'That point is taken.',
    notYours: 'That man is not yours.',
    cannotMoveThere: 'Your man cannot move there.',
    pickFirst: 'Pick up one of your men first.',
    stuck: 'This man cannot move anywhere. Put him back.',
    begins: (/** @type {string} */ seat) => `${seat} begins.`,
    placed: (/** @type {string} */ seat, /** @type {string} */ point, /** @type {number} */ mills) =>
      `${seat} placed a man on ${point}${CLOSING[mills]}.`,
    moved: (
      /** @type {string} */ seat,
      /** @type {string} */ from,
      /** @type {string} */ to,
      /** @type {number} */ mills,
    ) => `${seat} moved ${from} to ${to}${CLOSING[mills]}.`,
    removed: (/** @type {string} */ seat, /** @type {string} */ point) => `${seat} removed the man on ${point}.`,
    held: (
      /** @type {string} */ colour,
      /** @type {number} */ inHand,
      /** @type {number} */ onBoard,
      /** @type {number} */ lost,
    ) => `${colour}: ${inHand} in hand, ${onBoard} on the board, ${lost} lost`,
    man: (/** @type {string} */ colour, /** @type {number} */ mills, /** @type {boolean} */ isLast) =>
      `${colour} man${['', ', in a mill', ', in two mills'][mills]}${isLast ? ', moved last' : ''}`,
    removedHere: 'empty, a man was removed here',
  },

  turncoat: {
    boards: 'Boards',
    yourBoard: 'Your board',
    yourTab: 'Your board',
    boardOf: (/** @type {string} */ seat) => `Board of ${seat}`,
    sides: { B: 'black', W: 'white' },
    skip: 'Skip',
    onlyWhite: 'In this match only white discs can be selected.',
    round: (/** @type {number} */ round, /** @type {number} */ limit) =>
      limit ? `Round ${round} of ${limit}` : `Round ${round}`,
    inSecret: 'Both players select in secret.',
    waiting: 'Waiting for your opponent.',
    select: 'Select a disc on your own board, in secret.',
    watching: 'You are watching.',
    blankSquare: 'This square is blank: there is no disc to select.',
    notWhite: 'In this match only a white disc can be selected.',
    selected: (/** @type {string} */ seat) => `${seat} has selected.`,
    committed: (/** @type {string} */ seat) => `${seat} has committed.`,
    roundBegins: (/** @type {number} */ round) => `Round ${round} begins.`,
    selectedAt: (/** @type {string} */ colour, /** @type {string} */ square) => `${colour} selected ${square}`,
    turnedByOwn: (
      /** @type {string} */ colour,
      /** @type {string} */ square,
      /** @type {string} */ side,
      /** @type {number} */ trapped,
    ) => `${colour}’s board: ${square} turns ${side} by its own selection${trapping(trapped)}.`,
    turnedByOther: (
      /** @type {string} */ colour,
      /** @type {string} */ square,
      /** @type {string} */ side,
      /** @type {number} */ trapped,
    ) => `${colour}’s board: ${square} turns ${side} by the opponent’s selection${trapping(trapped)}.`,
    tab: { committed: 'committed', selected: 'selected', black: 'black' },
    blank: 'blank',
    yourSelection: 'your selection',
    turned: 'turned',
    trapped: 'trapped',
    selection: (/** @type {string} */ square) => `Your selection: ${square}`,
    nothingSelected: 'Nothing selected yet.',
    commit: 'Commit',
    commitSquare: (/** @type {string} */ square) => `Commit ${square}`,
    hasCommitted: 'Committed',
  },

  rainbow: {
    /** The colours of pegs by their letters. */
    colours: {
      R: 'red',
      O: 'orange',
      Y: 'yellow',
      G: 'green',
      B: 'blue',
      V: 'violet',
      W: 'white',
      K: 'black',
    },
    /** What pegs show for their colours. */
    letters: { R: 'R', O: 'O', Y: 'Y', G: 'G', B: 'B', V: 'V', W: 'W', K: 'K' },
    count: 'Pegs in hand',
    phase: 'Place a peg, flip one or move one.',
    phaseWithDie: (/** @type {string} */ colour) =>
      `The die shows ${colour}: use a peg with that colour. Place a peg, flip one or move one.`,
    chooseFirst: 'Choose one of your pegs and its side first.',
    notYours: 'That peg is not yours.',
    resting: 'That peg is resting on this turn.',
    colouredFirst: 'The white and black peg can be placed when all six coloured ones are on the board.',
    wrongColour: 'That peg cannot be used on this turn: it does not have the colour of the die.',
    rolled: (/** @type {string} */ colour) => `The die shows ${colour}.`,
    placed: (/** @type {string} */ seat, /** @type {string} */ colour, /** @type {string} */ cell) =>
      `${seat} placed ${colour} on ${cell}.`,
    flipped: (/** @type {string} */ seat, /** @type {string} */ cell) => `${seat} flipped the peg on ${cell}.`,
    moved: (/** @type {string} */ seat, /** @type {string} */ from, /** @type {string} */ to) =>
      `${seat} moved ${from} to ${to}.`,
    /** The end of "A bot would". */
    placeClause: (/** @type {string} */ colour, /** @type {string} */ cell, /** @type {string} */ under) =>
      `place ${colour} on ${cell}, with ${under} underneath`,
    peg: (
      /** @type {string} */ owner,
      /** @type {string} */ colour,
      /** @type {string} */ under,
      /** @type {string} */ letters,
    ) => `${colour} peg of ${owner}, ${under} underneath (${letters})`,
    isResting: 'resting',
    inLine: 'in the line',
    die: (/** @type {string} */ colour) => `The die shows ${colour}`,
    hexagonal: 'Hexagonal',
    rack: (/** @type {string} */ owner) => `Pegs of ${owner} in hand`,
    allPlaced: 'All pegs are on the board.',
    inHand: (/** @type {string} */ pegs) => `In hand: ${pegs}`,
    twoColours: (/** @type {string} */ one, /** @type {string} */ other) => `${one} and ${other}`,
    side: (/** @type {string} */ peg, /** @type {string} */ up) => `Peg ${peg}, ${up} up`,
  },

  /** The small boards that illustrate the rules. */
  drawings: {
    ternio: {
      caption:
        'Red places a disc on A1. The blue row turns red. The column of green and blue is mixed and does not turn.',
      before: 'Before: a row of two blue discs ends at a red one, a column of blue and green ends at a red one.',
      after: 'After: the row is red, the column is unchanged.',
    },
    triboard: {
      caption: 'Blue takes the cell at the left and jumps over the whole red row. The wall blocks the other direction.',
      before: 'Before: three red cells end at a blue one. Above the empty cell are a green one, a wall and a blue one.',
      after: 'After: the whole row is blue, the green cell is unchanged.',
    },
    morris: {
      caption: 'White moves to D6 and closes a mill. White removes a black man that is not in a mill.',
      before: 'Before: white men on D7, D5 and B6.',
      after: 'After: white men on D5, D6 and D7 are a mill, and the black man on G7 has been removed.',
    },
    turncoat: {
      caption:
        'A2 turns black. The white discs between it and the next black one are trapped and turn too. A row that ends ' +
        'at a blank square or at the edge does not turn.',
      before: 'Before: A2, B2 and C2 show white, D2 black.',
      after: 'After: the whole row A2 to D2 shows black.',
    },
    rainbow: {
      caption:
        'Three cells in a row that show one colour win, no matter who owns the pegs. White counts as any colour.',
      line: 'A row of green, white and green is a line. Black counts as no colour.',
    },
  },

  history: {
    start: 'the start',
    end: 'the end',
    after: (/** @type {number} */ move, /** @type {number} */ moves) => `after move ${move} of ${moves}`,
    inMatch: (/** @type {number} */ match, /** @type {string} */ position) => `match ${match}: ${position}`,
    announcement: (/** @type {string} */ position, /** @type {string} */ move) => `Looking back: ${position}. ${move}`,
    newMatch: 'A new match has begun.',
    noSuchMatch: (/** @type {number} */ match) => `This room has no match ${match}.`,
    backToNow: 'Back to now.',
    step: 'Step through the match',
    toStart: 'To the start',
    back: 'One move back',
    forward: 'One move forward',
    toEnd: 'To the end',
    toNow: 'To now',
    withKey: (/** @type {string} */ label, /** @type {string} */ key) => `${label} (key ${key})`,
    noMoves: 'No moves yet.',
    moves: 'Moves',
    earlier: (/** @type {number} */ matches) => `Earlier matches (${matches})`,
    more: 'Show more',
    match: (/** @type {number} */ match, /** @type {string} */ time) => `Match ${match} · ${time}`,
    unknownPlayer: 'unknown',
    previous: (/** @type {number} */ match) => `Match ${match}: `,
    review: 'Review',
    reviewMatch: (/** @type {number} */ match) => `Review match ${match}`,
    reviewOf: (/** @type {number} */ match) => `Review of match ${match}`,
    loading: 'Loading the match …',
    matchTitle: (/** @type {number} */ match, /** @type {string} */ room) => `Match ${match} of ${room}`,
    notFound: 'Match not found',
    notFoundNote: 'No match has this address, or its room is private.',
    otherBrowser: 'If you took part, open it in the browser in which you played.',
    notShown: 'This match cannot be shown',
  },

  review: {
    ask: 'Ask the bots for a review',
    askNote: 'They evaluate every position, once for everybody. That takes up to a minute.',
    waiting: 'The bots are evaluating the match …',
    done: (/** @type {string} */ summary) => `The review is done. ${summary}`,
    best: 'Show the moves',
    nextMistake: 'Next mistake',
    turningPoint: (/** @type {number} */ number, /** @type {string | null} */ colour, /** @type {string} */ move) =>
      `Turning point: move ${number}${colour === null ? '' : `, ${colour} ${move}`}`,
    seatMistakes: (/** @type {string} */ colour, /** @type {string} */ mistakes) => `${colour}: ${mistakes}`,
    noMistakes: 'no mistakes',
    countOf: {
      blunder: (/** @type {number} */ count) => (count === 1 ? '1 blunder' : `${count} blunders`),
      mistake: (/** @type {number} */ count) => (count === 1 ? '1 mistake' : `${count} mistakes`),
      inaccuracy: (/** @type {number} */ count) => (count === 1 ? '1 inaccuracy' : `${count} inaccuracies`),
    },
    lost: {
      blunder: (/** @type {number} */ lost) => `A blunder: ${lost} % of the chances to win lost.`,
      mistake: (/** @type {number} */ lost) => `A mistake: ${lost} % of the chances to win lost.`,
      inaccuracy: (/** @type {number} */ lost) => `An inaccuracy: ${lost} % of the chances to win lost.`,
    },
    playFrom: 'Play from here',
    withBots: 'Against bots',
    byLink: 'With others, by link',
    copyLink: 'Copy link to this position',
    linkCopied: 'The link to this position has been copied.',
    link: (/** @type {string} */ link) => `The link to this position: ${link}`,
    copyNotation: 'Copy notation',
    notationCopied: 'The notation has been copied.',
    notationAt: (/** @type {string} */ address) => `The browser cannot copy it. It is at ${address}`,
    inTurn: 'This is the middle of a turn. Step forward to see how it is evaluated.',
    over: 'The match is over here.',
    wouldPlay: (/** @type {string} */ colour, /** @type {string} */ move) => `Best for ${colour}: ${move}.`,
    left: (/** @type {string} */ colour, /** @type {string} */ move) =>
      `${colour} left the match; the best move was ${move}.`,
    asBot: (/** @type {string} */ colour, /** @type {string} */ move) => `${colour} played ${move}, the best move.`,
    unlikeBot: (/** @type {string} */ colour, /** @type {string} */ played, /** @type {string} */ move) =>
      `${colour} played ${played}; the bots prefer ${move}.`,
    marked: {
      blunder: (
        /** @type {string} */ colour,
        /** @type {string} */ played,
        /** @type {number} */ lost,
        /** @type {string} */ move,
      ) => `${colour} played ${played}, a blunder: the chance to win fell by ${lost} %. The best move was ${move}.`,
      mistake: (
        /** @type {string} */ colour,
        /** @type {string} */ played,
        /** @type {number} */ lost,
        /** @type {string} */ move,
      ) => `${colour} played ${played}, a mistake: the chance to win fell by ${lost} %. The best move was ${move}.`,
      inaccuracy: (
        /** @type {string} */ colour,
        /** @type {string} */ played,
        /** @type {number} */ lost,
        /** @type {string} */ move,
      ) => `${colour} played ${played}, an inaccuracy: the chance to win fell by ${lost} %. The best move was ${move}.`,
    },
    graph: 'Chances to win',
    chances: 'The chance of each seat to win, as the bots evaluate it.',
    graphValue: (/** @type {string} */ position, /** @type {string} */ numbers) => `${position}: ${numbers}`,
    number: (/** @type {string} */ colour, /** @type {number | string} */ value) => `${colour} ${value}`,
    asTable: 'The numbers as a table',
    tableCaption: 'Chances to win in percent after each ply',
    ply: 'Ply',
    move: 'Move',
  },

  lesson: {
    title: (/** @type {string} */ game) => `Learn ${game}`,
    learn: 'Learn',
    newTo: (/** @type {string} */ game) => `New to ${game}?`,
    learnIn: (/** @type {number} */ steps) => `Learn it in ${steps} steps`,
    noThanks: 'No, thanks',
    backToLobby: 'Back to lobby',
    settingUp: 'Setting up the board …',
    interrupted: 'The lesson has been interrupted',
    beginAgain: 'Begin again',
    playedFirst: 'Watch: these moves come first …',
    step: (/** @type {number} */ step, /** @type {number} */ steps) => `Step ${step} of ${steps}`,
    stepText: (/** @type {number} */ step, /** @type {number} */ steps, /** @type {string} */ text) =>
      `Step ${step} of ${steps}. ${text}`,
    showMe: 'Show me',
    next: 'Next',
    playMatch: 'Play a match',
    again: 'Once more',
    over: 'The match is over.',
    chooseNext: 'Choose Next to continue.',
    othersMove: 'One moment: the others are moving.',
    notFound: 'Lesson not found',
  },

  help: {
    title: 'How to play',
    titleOf: (/** @type {string} */ game) => `${game}: how to play`,
    notFound: 'Game not found',
  },

  look: { label: 'Look of the board', looks: { classic: 'Classic', wood: 'Wood', paper: 'Paper' } },

  live: {
    title: 'Live now',
    titleOf: (/** @type {string} */ game) => `${game} live`,
    watch: (/** @type {string} */ game) => `Watch ${game}`,
    rated: 'rated',
    channel: 'Game to watch',
    allGames: 'All games',
    none: 'There is no match to watch at the moment.',
  },

  /** Who is here. */
  here: {
    title: 'Who is here',
    playing: (/** @type {number} */ matches) =>
      matches === 1 ? '1 match is being played' : `${matches} matches are being played`,
    waiting: (/** @type {number} */ players) =>
      players === 1 ? '1 player is waiting for others' : `${players} players are waiting for others`,
    winners: 'Recent winners',
  },

  notable: {
    title: 'Notable matches',
    facts: {
      comeback: (/** @type {string} */ game, /** @type {number} */ _behind) => `A comeback in ${game}`,
      shortest_win: (/** @type {string} */ game, /** @type {number} */ moves) => `${game}, won in ${moves} moves`,
      longest: (/** @type {string} */ game, /** @type {number} */ moves) => `${game}, a long match of ${moves} moves`,
    },
  },

  keys: {
    title: 'Keys and gestures',
    close: 'Close',
    keys: {
      tab: ['Tab', 'to the board and to each button'],
      arrows: ['Arrow keys', 'from cell to cell'],
      enter: ['Enter, space bar', 'choose a cell'],
      escape: ['Escape', 'put back, cancel a premove, or return from an earlier position'],
      steps: [', and .', 'step back and forward through the match'],
      graph: ['Arrow keys, Home, End', 'on the graph of a review: from move to move'],
      next: ['n', 'to the next table where it is your turn'],
      help: ['?', 'show these keys'],
    },
    gestures: {
      drag: ['Drag', 'move a man or a peg'],
      point: ['Hover, or long press', 'see what a move would do'],
      premove: ['Choose while others move', 'enter a premove; it is sent when your turn comes'],
      draw: ['Right button', 'draw an arrow or a ring; a click clears them'],
    },
  },

  fairness: {
    label: 'Fair chance',
    verify: 'Verify this match',
    unknown: 'unknown',
    holds: 'holds',
    broken: 'does not hold',
    onlySecure: 'Browsers compute hashes only on secure pages (https).',
    notLoaded: 'The events of this match have not been loaded.',
    seedHolds: 'The seed that was revealed at the end matches the hash from the start.',
    seedBroken: 'The seed that was revealed at the end does not match the hash from the start.',
    notStored: 'What was published before the match is no longer stored.',
    published: 'That hash was published before the match and before any salt.',
    notPublished: 'That hash was not published before the match and before any salt.',
    saltMixed: 'The salt that this device sent was mixed in.',
    noSalt: (/** @type {number} */ salts) => `This device sent no salt for this match; ${salts} came from players.`,
    wrongDraw: (/** @type {string} */ draw, /** @type {number} */ event) =>
      `Draw ${draw} leads to something other than event ${event}.`,
    drawsHold: (/** @type {number} */ draws) =>
      `Each draw was recomputed from seed and salts, with the recorded result: ${draws}.`,
  },
};

/** What closing so many mills adds to a sentence. @type {Record<number, string>} */
const CLOSING = { 0: '', 1: ', closing a mill', 2: ', closing two mills' };

/** @param {number} trapped */
function trapping(trapped) {
  return trapped ? `, trapping ${trapped}` : '';
}
