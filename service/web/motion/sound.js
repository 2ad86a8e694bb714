/**
 * Sounds: short and soft, made by the browser itself. There are none before the first click or key, as browsers
 * require, and none while they are off; the choice is remembered on the device.
 */

import { app } from '../app.js';

/** @typedef {'move' | 'capture' | 'mill' | 'turn' | 'end' | 'lost' | 'low' | 'found'} Sound */
/**
 * A tone: its pitch in hertz, the pitch that it falls to, when it begins and how long it lasts, in seconds.
 * @typedef {{from: number, to: number, at: number, length: number, loudness: number}} Tone
 */

/** @type {Record<Sound, Tone[]>} */
const TONES = {
  move: [knock(0)],
  capture: [knock(0), knock(0.07)],
  mill: [bell(523, 0), bell(659, 0.07), bell(784, 0.14)],
  turn: [bell(587, 0.16), bell(880, 0.24)],
  end: [bell(523, 0.1), bell(659, 0.24), bell(784, 0.38), bell(1047, 0.52)],
  lost: [bell(659, 0.1), bell(523, 0.26), bell(392, 0.42)],
  low: [bell(988, 0), bell(988, 0.16)],
  found: [bell(659, 0), bell(880, 0.16), bell(1319, 0.32), bell(880, 0.75), bell(1319, 0.91)],
};

/** @type {AudioContext | null} */
let context = null;

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

/**
 * Play a sound, if sounds are on and something has been clicked or pressed before. In a hidden tab, only the sound
 * for players that were found is played.
 * @param {Sound} sound
 */
export function play(sound) {
  const isAudible = !document.hidden || sound === 'found';
  if (!app.isSoundOn || !isAudible || !navigator.userActivation.hasBeenActive) return;
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
