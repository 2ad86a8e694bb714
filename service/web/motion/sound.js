/**
 * Sounds: short and soft, made by the browser itself. There are none before the first click or key, as browsers
 * require, and none while they are off; the choice is remembered on the device.
 */

import { redraw } from '../app.js';
import { h } from '../dom.js';

/** @typedef {'move' | 'capture' | 'mill' | 'turn' | 'end' | 'low'} Sound */
/**
 * A tone: its pitch in hertz, the pitch that it falls to, when it begins and how long it lasts, in seconds.
 * @typedef {{from: number, to: number, at: number, length: number, loudness: number}} Tone
 */

const STORAGE_KEY = 'turnstream.sound';

/** @type {Record<Sound, Tone[]>} */
const TONES = {
  move: [knock(0)],
  capture: [knock(0), knock(0.07)],
  mill: [bell(523, 0), bell(659, 0.07), bell(784, 0.14)],
  turn: [bell(587, 0.16), bell(880, 0.24)],
  end: [bell(523, 0.1), bell(659, 0.24), bell(784, 0.38), bell(1047, 0.52)],
  low: [bell(988, 0), bell(988, 0.16)],
};

/** @type {AudioContext | null} */
let context = null;
let isOn = stored();

/**
 * A piece that touches the board.
 * @param {number} at
 * @returns {Tone}
 */
function knock(at) {
  return { from: 360, to: 130, at, length: 0.08, loudness: 0.22 };
}

/**
 * @param {number} pitch
 * @param {number} at
 * @returns {Tone}
 */
function bell(pitch, at) {
  return { from: pitch, to: pitch, at, length: 0.28, loudness: 0.07 };
}

function stored() {
  try {
    return localStorage.getItem(STORAGE_KEY) !== 'off';
  } catch {
    return true;
  }
}

function toggle() {
  isOn = !isOn;
  try {
    localStorage.setItem(STORAGE_KEY, isOn ? 'on' : 'off');
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  redraw();
}

/**
 * Make a sound, if sounds are on and something has been clicked or pressed before.
 * @param {Sound} sound
 */
export function play(sound) {
  if (!isOn || document.hidden || !navigator.userActivation.hasBeenActive) return;
  context ??= new AudioContext();
  for (const tone of TONES[sound]) playTone(context, tone);
}

/**
 * @param {AudioContext} context
 * @param {Tone} tone
 */
function playTone(context, { from, to, at, length, loudness }) {
  const [start, end] = [context.currentTime + at, context.currentTime + at + length];
  const [source, volume] = [context.createOscillator(), context.createGain()];
  source.type = 'triangle';
  source.frequency.setValueAtTime(from, start);
  source.frequency.exponentialRampToValueAtTime(to, end);
  volume.gain.setValueAtTime(0.0001, start);
  volume.gain.exponentialRampToValueAtTime(loudness, start + 0.008);
  volume.gain.exponentialRampToValueAtTime(0.0001, end);
  source.connect(volume).connect(context.destination);
  source.start(start);
  source.stop(end);
}

/** The button that turns sounds off and on. */
export function soundButton() {
  const label = isOn ? 'Sound: on. Turn off' : 'Sound: off. Turn on';
  const waves = isOn ? 'M3 -4 A5 5 0 0 1 3 4 M6 -7 A9 9 0 0 1 6 7' : 'M3 -3 L9 3 M9 -3 L3 3';
  return h(
    'button',
    { key: 'sound', class: 'quiet', type: 'button', 'aria-label': label, title: label, onclick: toggle },
    h(
      'svg',
      { class: 'icon', viewBox: '-10 -10 20 20', 'aria-hidden': 'true' },
      h('path', { d: 'M-9 -3 H-5 L0 -7 V7 L-5 3 H-9 Z' }),
      h('path', { d: waves, fill: 'none' }),
    ),
  );
}
