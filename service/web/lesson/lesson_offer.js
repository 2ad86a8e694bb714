/**
 * The offer of a lesson in the first room in which a player meets bots, and what the device remembers about lessons:
 * that one was finished or declined, or the room in which it is offered.
 */

import { redraw } from '../app.js';
import { h, recallObject, store } from '../dom.js';
import { gameTexts } from '../languages/games.js';

/** @import { Room } from '../room/room.js' */

const STORAGE_KEY = 'turnstream.lessons';

/** What is remembered, by game. @type {Record<string, string>} */
const remembered = recallObject(STORAGE_KEY);

/**
 * Remember something about a game's lesson: `finished`, `declined`, or `offered in` a room.
 * @param {string} game
 * @param {string} what
 */
export function remember(game, what) {
  remembered[game] = what;
  store(STORAGE_KEY, JSON.stringify(remembered));
}

/**
 * The offer, to a player whose opponents are bots and who has not been offered this lesson in another room.
 * @param {Room} room
 */
export function lessonOffer(room) {
  const { slug, title, lesson_steps: steps } = room.game;
  const place = `offered in ${room.name}`;
  const isNew = (remembered[slug] ?? place) === place;
  if (!steps || !isNew || !room.isPlaying || !isAgainstBots(room)) return null;
  const decline = () => {
    remember(slug, 'declined');
    redraw();
  };
  return h(
    'p',
    { class: 'lesson-offer', key: 'lesson offer', created: () => remember(slug, place) },
    h('span', null, gameTexts.lesson.newTo(title)),
    h('a', { href: `/learn/${slug}` }, gameTexts.lesson.learnIn(steps)),
    h('button', { type: 'button', class: 'link', onclick: decline }, gameTexts.lesson.noThanks),
  );
}

/** @param {Room} room */
function isAgainstBots({ view, mySeats }) {
  return mySeats.length === 1 && view.seats.every(({ seat, bot }) => bot || mySeats.includes(seat));
}
