/** What the client says of the games it knows, beyond their rules: one line for the lobby, and their options in words. */

/** @type {Record<string, string>} */
export const BLURBS = {
  ternio: 'Reversi for three. Lines of one colour turn; mixed lines hold.',
  turncoat: 'Choose in secret. Your square turns on both boards.',
  triboard: 'Jump over whole rows and take them, among walls.',
  morris: 'Three in a row takes a man. Older than chess.',
  rainbow: 'Two-sided pegs, three of a colour, anyone’s.',
};

/** @type {Record<string, string>} */
export const OPTION_WORDS = {
  'ternio.start': 'First nine discs',
  'triboard.first': 'Who begins',
  'morris.first': 'Who begins',
  'morris.flying': 'Who may fly with three men left',
  'morris.all_in_mills': 'When all men stand in mills',
  'morris.double_mill': 'Two mills at once take',
  'turncoat.selectable': 'Discs that can be selected',
  'turncoat.round_limit': 'Rounds, 0 for no limit',
  'turncoat.at_limit': 'After the last round',
  'rainbow.grid': 'Lines as on a board that is',
  'rainbow.misere': 'Whoever makes a line loses',
  'rainbow.rest': 'Own turns until a peg may be used again',
  'rainbow.dice': 'A die tells the colour to use',
  'rainbow.players': 'Players',
  repetition: 'A position that comes up three times is a draw',
  quiet_limit: 'Turns without progress until a draw, 0 for none',
};

/** @type {Record<string, string>} */
export const VALUE_WORDS = {
  'morris.first.seat0': 'White',
  'morris.first.roll': 'Whoever rolls higher',
  'morris.flying.both': 'Both, as soon as one has three',
  'morris.flying.reduced': 'Only who has three',
  'morris.flying.off': 'Nobody',
  'morris.all_in_mills.none': 'Nothing is taken',
  'morris.all_in_mills.three': 'Nothing, but of three men one',
  'morris.all_in_mills.any': 'Any man is taken',
  'morris.double_mill.two': 'Two men',
  'morris.double_mill.one': 'One man',
  'turncoat.selectable.any': 'Any',
  'turncoat.selectable.white_only': 'Only white ones',
  'turncoat.at_limit.draw': 'A draw',
  'turncoat.at_limit.fewest_white': 'Fewer white discs win',
  'rainbow.grid.square': 'Square',
  'rainbow.grid.hex': 'Hexagonal',
  'rainbow.rest.0': 'None',
  'triboard.first.random': 'Drawn by lot',
};
