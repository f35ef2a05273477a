import { createHash } from 'node:crypto';
import { isId } from '@errand/base/ids.ts';
import { html } from '../../oauth/pages/layout/html.ts';
import type { Database } from '../../store/db/database.ts';
import { findSharedTask } from '../../store/tasks/shared-tasks.ts';
import type { WebPage } from './web-assets.ts';

const untitled = '<title>Errand</title>';

/** The page of the application with a title, for link previews. */
function titlePage(page: WebPage, title: string): WebPage {
  const name = `${title} · Errand`;
  const description = `A task that was shared: ${title}`;
  const head = html`<title>${name}</title>
    <meta name="description" content="${description}" />
    <meta property="og:title" content="${name}" />
    <meta property="og:description" content="${description}" />
    <meta property="og:site_name" content="Errand" />
    <meta property="og:type" content="article" />`.text;
  // Not a replacement pattern: a title may contain `$&`.
  const bytes = Buffer.from(page.bytes.toString().replace(untitled, () => head));
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` };
}

export interface SharePageParts {
  page: WebPage;
  database: Database;
  shareId: string;
  /** The viewer; null if not signed in. */
  readerId: string | null;
}

/**
 * The response at the URL of a share: the page, with its title if that is public, and whether anything is shared there, even if that
 * requires signing in.
 */
export async function readSharePage({ page, database, shareId, readerId }: SharePageParts): Promise<[WebPage, boolean]> {
  const shared = isId(shareId) ? await database.run(findSharedTask, { shareId, readerId }) : null;
  const isTitled = shared?.isVisible === true && shared.task.shareVisibility === 'public' && shared.task.title !== '';
  return [isTitled ? titlePage(page, shared.task.title) : page, shared !== null];
}
