/** The page's one feed. */

import { changed } from './app.js';
import { Feed } from './feed.js';

export const feed = new Feed('/v1/feed', changed);
