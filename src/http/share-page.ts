import { createHash } from 'node:crypto';
import { isId } from '../base/ids.ts';
import { html } from '../oauth/html.ts';
import type { Database } from '../store/db/database.ts';
import { findSharedTask } from '../store/shared-tasks.ts';
import type { WebPage } from './web-assets.ts';

const untitled = '<title>Errand</title>';

/** The title of a task that everybody may read; null for what is shared with some or with nobody. */
async function findPublicTitle(database: Database, shareId: string): Promise<string | null> {
  if (!isId(shareId)) return null;
  const shared = await database.run(findSharedTask, { shareId, readerId: null });
  return shared?.isVisible === true ? shared.task.title : null;
}

/** The page of the application with the title of what is shared, for those who show a link before anybody follows it. */
export async function titlePage(page: WebPage, database: Database, shareId: string): Promise<WebPage> {
  const title = await findPublicTitle(database, shareId);
  if (title === null || title === '') return page;
  const name = `${title} · Errand`;
  const head = html`<title>${name}</title>
    <meta name="description" content="${`A task that was shared: ${title}`}" />
    <meta property="og:title" content="${name}" />
    <meta property="og:type" content="article" />`.text;
  // Not as a pattern: a title may have `$&` in it.
  const bytes = Buffer.from(page.bytes.toString().replace(untitled, () => head));
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` };
}
