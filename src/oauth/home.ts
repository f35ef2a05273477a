import { listTasks } from '../store/task-list.ts';
import type { TaskRecord } from '../store/task-record.ts';
import { isId } from '../base/ids.ts';
import { html, type Html } from './html.ts';
import { signInPath } from './next-page.ts';
import { answerPage, redirect } from './page.ts';
import type { SessionDesk } from './session-desk.ts';
import { statusWords } from './task-pages.ts';
import { renderTime } from './time.ts';
import type { Handler, WebParts } from './web-request.ts';

const pageSize = 50;

function renderRow({ id, title, status, createdAtMs }: TaskRecord): Html {
  return html`<tr><td><a href="/app/${id}" dir="auto">${title}</a></td><td>${statusWords[status]}</td><td>${renderTime(createdAtMs)}</td></tr>`;
}

function renderTasks(tasks: readonly TaskRecord[], nextAfter: string | null): Html {
  if (tasks.length === 0) {
    return html`<p>There are no tasks yet. Programs create them with an <a href="/settings/keys">API key</a>, people with <code>errand run "…"</code>.</p>`;
  }
  const more = nextAfter !== null && html`<p><a rel="next" href="?after=${nextAfter}">Older tasks</a></p>`;
  return html`<table><thead><tr><th>Task</th><th>Status</th><th>Created</th></tr></thead><tbody>${tasks.map(renderRow)}</tbody></table>${more}`;
}

/** Where people begin: the tasks of whoever is signed in, newest first, without those that lists do not show. */
export function buildHome(parts: WebParts, desk: SessionDesk): Handler {
  return async (request) => {
    const visitor = await desk.find(request);
    if (!visitor) return redirect(signInPath('/'));
    const { accountId, formToken } = visitor;
    const { after = '' } = request.query;
    const filter = { accountId, order: 'desc' as const, taskType: null, apiKeyId: null, oauthClientId: null };
    const found = await parts.database.run(listTasks, { ...filter, afterId: isId(after) ? after : null, limit: pageSize + 1 });
    const page = found.slice(0, pageSize);
    const nextAfter = found.length > pageSize ? (page.at(-1)?.id ?? null) : null;
    const shown = page.filter(({ isHidden }) => !isHidden);
    const body = html`<h1>Tasks</h1>${renderTasks(shown, nextAfter)}`;
    return answerPage({ title: 'Tasks', body, signedIn: { path: '/', formToken } });
  };
}
