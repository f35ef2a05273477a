import { attachmentView } from '../api/attachment-view.ts';
import { Fault } from '../base/fault.ts';
import { isId } from '../base/ids.ts';
import { type PublicEvent, presentEvent } from '../rules/present.ts';
import { readShown } from '../store/events.ts';
import { findSharedTask } from '../store/shared-tasks.ts';
import type { TaskKey } from '../store/task-key.ts';
import type { TaskRecord } from '../store/task-record.ts';
import { getReadableTask } from '../store/tasks.ts';
import { renderConversation } from './conversation.ts';
import { html, type Html } from './html.ts';
import { signInPath } from './next-page.ts';
import { answerPage, redirect } from './page.ts';
import type { SessionDesk } from './session-desk.ts';
import type { Handler, WebParts, WebRequest } from './web-request.ts';

/** Events of one page; the next ones are a link away. */
const pageSize = 200;

/** One answer for what does not exist, is private, or is not for this visitor. */
function pageNotFound(): Fault {
  return new Fault('not_found', 'There is nothing at this address, or it is not shared with you.');
}

interface Stretch {
  events: PublicEvent[];
  /** Where the next page begins, null at the end. */
  nextAfter: number | null;
}

function readAfter({ query }: WebRequest): number {
  return /^\d{1,15}$/.test(query.after ?? '') ? Number(query.after) : 0;
}

async function readStretch({ database, urls }: WebParts, key: TaskKey, isVerbose: boolean, afterSeq: number): Promise<Stretch> {
  const logged = await database.run(readShown, { ...key, order: 'asc', isVerbose, fromSeq: afterSeq, limit: pageSize + 1 });
  const view = attachmentView(urls, key.accountId);
  const shown = logged.slice(0, pageSize);
  return {
    events: shown.flatMap((event) => presentEvent(key.taskId, event, view) ?? []),
    nextAfter: logged.length > pageSize ? (shown.at(-1)?.seq ?? null) : null,
  };
}

export const statusWords: Readonly<Record<TaskRecord['status'], string>> = {
  running: 'Working',
  waiting: 'Waiting for an answer',
  stopped: 'Finished',
  error: 'Ended with an error',
};

function renderTask(task: TaskRecord, { events, nextAfter }: Stretch, note: Html | false): Html {
  const more = nextAfter !== null && html`<p><a rel="next" href="?after=${nextAfter}">Go on reading</a></p>`;
  return html`<h1 dir="auto">${task.title}</h1><p class="soft small">${statusWords[task.status]}</p>${note}${renderConversation(events)}${more}`;
}

/** For everybody who has the address: what was said, without what tools were told, and without a word about whose it is. */
export function buildSharePage(parts: WebParts, desk: SessionDesk): Handler {
  return async (request) => {
    const shareId = request.params.share_id ?? '';
    if (!isId(shareId)) throw pageNotFound();
    const visitor = await desk.find(request);
    const shared = await parts.database.run(findSharedTask, { shareId, readerId: visitor?.accountId ?? null });
    if (shared?.isVisible === false) return redirect(signInPath(`/share/${shareId}`));
    if (!shared) throw pageNotFound();
    const { task } = shared;
    const stretch = await readStretch(parts, { accountId: task.accountId, taskId: task.id }, false, readAfter(request));
    const headers = { 'x-robots-tag': 'noindex, nofollow' };
    return answerPage({ title: task.title, body: renderTask(task, stretch, false), headers });
  };
}

function renderSharing(task: TaskRecord, publicUrl: string): Html | false {
  if (task.shareId === null) return false;
  const audience = task.shareVisibility === 'team' ? 'your team' : 'everybody who has the address';
  return html`<p class="note">Shared with ${audience}: <a href="/share/${task.shareId}">${publicUrl}/share/${task.shareId}</a></p>`;
}

/** Where `task_url` leads: the task of whoever is signed in, or one that a teammate shares. */
export function buildTaskPage(parts: WebParts, desk: SessionDesk): Handler {
  return async (request) => {
    const taskId = request.params.task_id ?? '';
    if (!isId(taskId)) throw pageNotFound();
    const visitor = await desk.find(request);
    if (!visitor) return redirect(signInPath(`/app/${taskId}`));
    const { accountId, formToken } = visitor;
    const task = await parts.database.run(getReadableTask, { accountId, taskId }).catch((error: unknown) => {
      throw error instanceof Fault && error.code === 'not_found' ? pageNotFound() : error;
    });
    const stretch = await readStretch(parts, task.key, task.accountId === accountId, readAfter(request));
    const body = renderTask(task, stretch, renderSharing(task, parts.publicUrl()));
    return answerPage({ title: task.title, body, signedIn: { path: `/app/${taskId}`, formToken } });
  };
}
