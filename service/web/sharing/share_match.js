/** Sharing the end of a match: a picture of the final position with the players and the result, made in the page. */

import { notify } from '../app.js';
import { capitalized } from '../dom.js';
import { roomTexts } from '../languages/room.js';
import { describeResult } from '../room/results.js';
import { drawBoard } from './board_picture.js';

/** @import { Room } from '../room/room.js' */
/** @import { Result } from '../types.d.ts' */
/** @typedef {CanvasRenderingContext2D} Context */

const { sharing: WORDS } = roomTexts;

/** The size that sites show beside links, in pixels. */
const [WIDTH, HEIGHT] = [1200, 630];
const EDGE = 45;
/** The column of words at the right. */
const WORDS_WIDTH = 400;
const CAPTION = 50;

/**
 * Share the picture of a match that is over; where the browser cannot do that, save it.
 * @param {Room} room
 */
export async function shareMatch(room) {
  const { match } = room.view;
  if (!match?.result) return;
  const picture = await pictureOf(room, match.result);
  const text = WORDS.text(room.game.title, describeResult(match.result, room));
  const file = new File([picture], `${room.view.game}-${match.id}.png`, { type: 'image/png' });
  const shared = { title: room.game.title, text, url: `${location.origin}/m/${match.id}`, files: [file] };
  if (navigator.canShare?.(shared))
    await navigator.share(shared).catch(() => {}); // as when it is dismissed
  else save(file);
}

/** @param {File} file */
function save(file) {
  const href = URL.createObjectURL(file);
  Object.assign(document.createElement('a'), { href, download: file.name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
  notify(WORDS.saved(file.name));
}

/**
 * @param {Room} room
 * @param {Result} result
 * @returns {Promise<Blob>}
 */
async function pictureOf(room, result) {
  const canvas = Object.assign(document.createElement('canvas'), { width: WIDTH, height: HEIGHT });
  const context = /** @type {Context} */ (canvas.getContext('2d'));
  const colours = getComputedStyle(document.documentElement);
  const colour = (/** @type {string} */ name) => colours.getPropertyValue(name).trim();
  context.fillStyle = colour('--paper');
  context.fillRect(0, 0, WIDTH, HEIGHT);
  drawBoards(context, room, colour);
  drawWords(context, room, result, colour);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The canvas has no picture.')))),
  );
}

/**
 * The board, or the small boards of all players with their names where the page has room for them.
 * @param {Context} context
 * @param {Room} room
 * @param {(name: string) => string} colour
 */
function drawBoards(context, room, colour) {
  const small = boardsAt('.tab-mini > .board').filter((board) => board.checkVisibility());
  const boards = small.length ? small : boardsAt('.boards .board');
  const width = (WIDTH - 3 * EDGE - WORDS_WIDTH - (boards.length - 1) * EDGE) / boards.length;
  boards.forEach((board, index) => {
    const x = EDGE + index * (width + EDGE);
    const height = HEIGHT - 2 * EDGE - (small.length ? CAPTION : 0);
    drawBoard(context, board, { x, y: EDGE, width, height });
    if (!small.length) return;
    context.fillStyle = colour('--soft');
    context.font = `600 26px ${fontOf()}`;
    context.textAlign = 'center';
    const below = EDGE + (height + Math.min(width, height)) / 2 + CAPTION - 5;
    context.fillText(capitalized(room.seatName(index)), x + width / 2, below, width);
  });
}

/**
 * @param {string} place
 * @returns {SVGSVGElement[]}
 */
function boardsAt(place) {
  return [...document.querySelectorAll(place)].filter((element) => element instanceof SVGSVGElement);
}

/**
 * The game, the result, the players with their scores, and where it was played.
 * @param {Context} context
 * @param {Room} room
 * @param {Result} result
 * @param {(name: string) => string} colour
 */
function drawWords(context, room, result, colour) {
  const left = WIDTH - EDGE - WORDS_WIDTH;
  const type = colour('--type');
  let y = EDGE + 30;
  /** @type {(text: string, font: string, fill: string, step: number) => void} */
  const write = (text, font, fill, step) => {
    context.font = font;
    context.fillStyle = fill;
    for (const line of lines(context, text)) {
      context.fillText(line, left, y, WORDS_WIDTH);
      y += step;
    }
  };
  context.textAlign = 'left';
  context.textBaseline = 'alphabetic';
  write(room.game.title, `600 30px ${type}`, colour('--soft'), 40);
  y += 20;
  write(capitalized(describeResult(result, room)), `700 40px ${type}`, colour('--ink'), 48);
  y += 24;
  for (const { seat } of room.view.seats) {
    const score = result.scores?.[seat];
    context.textAlign = 'right';
    context.font = `600 28px ${fontOf()}`;
    context.fillStyle = colour('--ink');
    if (score !== undefined) context.fillText(String(score), left + WORDS_WIDTH, y);
    context.textAlign = 'left';
    context.fillText(capitalized(room.seatName(seat)), left, y, WORDS_WIDTH - 70);
    y += 40;
  }
  y = HEIGHT - EDGE - 5;
  write(`Turnstream · ${location.host}`, `24px ${fontOf()}`, colour('--soft'), 30);
}

function fontOf() {
  return getComputedStyle(document.body).fontFamily;
}

/**
 * A text in lines that fit.
 * @param {Context} context
 * @param {string} text
 */
function lines(context, text) {
  /** @type {string[]} */
  const found = [];
  for (const word of text.split(' ')) {
    const last = found.at(-1);
    const joined = last === undefined ? word : `${last} ${word}`;
    if (last !== undefined && context.measureText(joined).width > WORDS_WIDTH) found.push(word);
    else found.splice(-1, 1, joined);
  }
  return found;
}
