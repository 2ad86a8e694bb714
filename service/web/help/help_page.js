/** The help page of a game: its rules, and drawings of what is hard to describe in words. */

import { app, isNotFound, loadGame, redraw, showProblem } from '../app.js';
import { gameViewOf } from '../boards/game_views.js';
import { h, texts } from '../dom.js';
import { createDialog, Creation } from '../forms/create_dialog.js';
import { gameTexts } from '../languages/games.js';
import { drawings } from './drawings.js';
import { markdown } from './markdown.js';

/** @import { Game } from '../types.d.ts' */

export class HelpPage {
  /** @param {string} slug */
  constructor(slug) {
    this.slug = slug;
    this.isUnknown = false;
    /** @type {Creation | null} */
    this.creation = null;
  }

  get game() {
    return app.games.get(this.slug);
  }

  get title() {
    return this.game ? gameTexts.help.titleOf(this.game.title) : gameTexts.help.title;
  }

  enter() {
    void this.load();
  }

  async load() {
    try {
      await loadGame(this.slug);
    } catch (problem) {
      this.isUnknown = isNotFound(problem);
      if (!this.isUnknown) showProblem(problem);
    }
    redraw();
  }

  leave() {}

  view() {
    const game = this.game;
    if (!game) return h('div', { class: 'plain' }, this.isUnknown ? unknownGame() : null);
    return h(
      'article',
      { class: 'help', key: this.slug },
      this.head(game),
      drawings(game),
      h('div', { class: 'rules' }, markdown(game.rules)),
      this.creation ? createDialog(this.creation) : null,
    );
  }

  /** @param {Game} game */
  head(game) {
    return h(
      'header',
      { class: 'help-head' },
      h('div', { class: 'game-picture', 'aria-hidden': 'true' }, gameViewOf(game.slug).picture(game)),
      h(
        'div',
        null,
        h('h1', null, game.title),
        h('p', { class: 'lead' }, game.tagline),
        h(
          'div',
          { class: 'buttons' },
          h(
            'button',
            { type: 'button', class: 'primary', onclick: () => this.create(game) },
            texts.lobby.playGame(game.title),
          ),
          game.lesson ? h('a', { class: 'button', href: `/learn/${game.slug}` }, texts.page.learn) : null,
        ),
      ),
    );
  }

  /** @param {Game} game */
  create(game) {
    this.creation = new Creation(game, 'bots', () => {
      this.creation = null;
      redraw();
    });
    redraw();
  }
}

function unknownGame() {
  return [h('h1', null, gameTexts.help.notFound), h('p', null, h('a', { href: '/' }, texts.page.toLobby))];
}
