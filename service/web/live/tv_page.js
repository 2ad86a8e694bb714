/** The page of TV: the best running match of a game, or of all games. */

import { app, attempt, loadCatalogue, redraw, titleOf } from '../app.js';
import { h } from '../dom.js';
import { gameTexts } from '../languages/games.js';
import { LiveBoard } from './live_board.js';

const { live: WORDS } = gameTexts;

export class TvPage {
  /** @param {string} channel a game's slug, or `best` */
  constructor(channel) {
    this.live = new LiveBoard();
    this.live.channel = channel;
  }

  get title() {
    return `${this.heading} · Turnstream`;
  }

  get heading() {
    const { channel, match } = this.live;
    const game = channel === 'best' ? match?.game : channel;
    return game ? WORDS.titleOf(titleOf(game)) : WORDS.title;
  }

  get feedStatus() {
    return this.live.tv?.status ?? null;
  }

  enter() {
    void attempt(async () => {
      await loadCatalogue();
      redraw();
    });
    void this.live.open();
  }

  leave() {
    this.live.close();
  }

  view() {
    return h(
      'div',
      { class: 'tv' },
      h(
        'div',
        { class: 'live-head' },
        h('h1', null, this.heading),
        this.live.channelField((channel) => app.go(`/tv/${channel}`)),
      ),
      this.live.content(),
    );
  }
}
