/** What is played in a room, in words: the game's options and the room's settings. */

import { roomTexts } from '../languages/room.js';
import { optionLabel, propertiesOf, valueLabel } from './schema_form.js';
import { settingsInWords } from './settings_form.js';

/** @import { Configuration, Game, Values } from '../types.d.ts' */

/**
 * A game's options and a room's settings. `isDefault` marks the settings that have the service's default.
 * @param {Game} game
 * @param {Configuration} configuration
 */
export function configurationInWords(game, { options, settings }) {
  return [...optionsInWords(game, options), ...settingsInWords(settings)];
}

/**
 * @param {Game} game
 * @param {Values} options
 */
function optionsInWords(game, options) {
  const { yes, no } = roomTexts.forms;
  return Object.entries(options).map(([name, value]) => ({
    label: optionLabel(game, name),
    text: typeof value === 'boolean' ? (value ? yes : no) : valueLabel(game, name, value),
    isDefault: false,
  }));
}

/** The settings that matter for the choice of a room. */
const DECISIVE = new Set(['rated', 'clock', 'best_of']);

/**
 * What distinguishes a room for players who consider joining it: whether it is rated, the clock, a series, and the
 * options of the game that are not the defaults.
 * @param {Game} game
 * @param {Configuration} configuration
 */
export function distinctionsInWords(game, { options, settings }) {
  const properties = propertiesOf(game.options);
  const unusual = Object.entries(options).filter(([name, value]) => properties[name]?.default !== value);
  const special = settingsInWords(settings).filter(({ name, isDefault }) => DECISIVE.has(name) && !isDefault);
  return [...optionsInWords(game, Object.fromEntries(unusual)), ...special];
}
