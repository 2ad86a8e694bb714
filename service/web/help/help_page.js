/** A game's help: its rules, and drawings of what is hard to say in words. */

import { Problem } from '../api.js';
import { app, changed, gameOf, refuse } from '../app.js';
import { faceOf } from '../boards/game_views.js';
import { createDialog, Creation } from '../lobby/create_dialog.js';
import { h } from '../dom.js';
import { drawings } from './drawings.js';
import { BLURBS } from './labels.js';
import { markdown } from '../markdown.js';

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
    return this.game ? `${this.game.title}: how to play` : 'How to play';
  }

  enter() {
    void this.read();
  }

  async read() {
    try {
      await gameOf(this.slug);
    } catch (problem) {
      this.isUnknown = problem instanceof Problem && problem.status === 404;
      if (!this.isUnknown) refuse(problem);
    }
    changed();
  }

  leave() {}

  view() {
    const game = this.game;
    if (!game)
      return h(
        'div',
        { class: 'plain' },
        this.isUnknown ? [h('h1', null, 'No such game'), h('p', null, h('a', { href: '/' }, 'To the lobby'))] : null,
      );
    return h(
      'article',
      { class: 'help', key: this.slug },
      h(
        'header',
        { class: 'help-head' },
        h('div', { class: 'game-picture', 'aria-hidden': 'true' }, faceOf(game.slug).picture(game)),
        h(
          'div',
          null,
          h('h1', null, game.title),
          h('p', { class: 'lead' }, BLURBS[game.slug] ?? ''),
          h(
            'button',
            {
              type: 'button',
              class: 'primary',
              onclick: () => {
                this.creation = new Creation(game, () => {
                  this.creation = null;
                  changed();
                });
                changed();
              },
            },
            `Play ${game.title}`,
          ),
        ),
      ),
      drawings(game),
      h('div', { class: 'rules' }, markdown(game.rules)),
      this.creation ? createDialog(this.creation) : null,
    );
  }
}
