/** The options of the games that the client knows, in words. */

import { readable } from '../dom.js';

/** @type {Record<string, string>} */
const OPTION_LABELS = {
  'ternio.start': 'First nine discs',
  'triboard.first': 'Who begins',
  'triboard.start': 'Layout',
  'morris.first': 'Who begins',
  'morris.flying': 'Who may fly with three men left',
  'morris.all_in_mills': 'When all men are in mills',
  'morris.double_mill': 'Two mills at once capture',
  'turncoat.selectable': 'Discs that can be selected',
  'turncoat.round_limit': 'Rounds, 0 for no limit',
  'turncoat.at_limit': 'After the last round',
  'turncoat.start': 'Layout',
  'rainbow.grid': 'Lines',
  'rainbow.misere': 'A player who makes a line loses',
  'rainbow.rest': 'Own turns until a peg may be used again',
  'rainbow.dice': 'A die decides the colour to use',
  'rainbow.players': 'Players',
  repetition: 'The same position three times is a draw',
  quiet_limit: 'Turns without progress until a draw, 0 for no limit',
};

/** @type {Record<string, string>} */
const VALUE_LABELS = {
  'morris.first.seat0': 'White',
  'morris.first.roll': 'The player who rolls the higher number',
  'morris.flying.both': 'Both players, as soon as one has three',
  'morris.flying.reduced': 'Only the player with three',
  'morris.flying.off': 'Nobody',
  'morris.all_in_mills.none': 'No man is captured',
  'morris.all_in_mills.three': 'One is captured only if three are left',
  'morris.all_in_mills.any': 'Any man may be captured',
  'morris.double_mill.two': 'Two men',
  'morris.double_mill.one': 'One man',
  'turncoat.selectable.any': 'Any',
  'turncoat.selectable.white_only': 'Only white ones',
  'turncoat.at_limit.draw': 'The match is a draw',
  'turncoat.at_limit.fewest_white': 'The player with fewer white discs wins',
  'rainbow.grid.square': 'Square',
  'rainbow.grid.hex': 'Hexagonal',
  'rainbow.rest.0': 'None',
  'triboard.first.random': 'Chosen at random',
  'triboard.start.random': 'Drawn at random',
  'triboard.start.lesson': 'That of the lesson',
  'turncoat.start.random': 'Drawn at random',
  'turncoat.start.lesson': 'That of the lesson',
};

/**
 * The label of a game's option.
 * @param {string} game
 * @param {string} option
 */
export function optionLabel(game, option) {
  return OPTION_LABELS[`${game}.${option}`] ?? OPTION_LABELS[option] ?? readable(option);
}

/**
 * The label of an option's value.
 * @param {string} option `game.option`
 * @param {unknown} value
 */
export function valueLabel(option, value) {
  return VALUE_LABELS[`${option}.${value}`] ?? readable(String(value));
}
