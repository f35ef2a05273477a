import type { ServiceProcess } from '../../test/support/service/supervisor.ts';
import type { LoadRequest } from '../load/load-job.ts';
import { pause } from '../process/pause.ts';

/** What bench asks a service of, one request at a time; loads have a generator of their own. */

export type CalledService = Pick<ServiceProcess, 'url' | 'apiKey'>;

interface TaskRow {
  id: string;
  status: string;
}

interface Page {
  data: TaskRow[];
  next_cursor?: string;
}

const pageLength = 100;
const pollMs = 50;

export async function call<Reply>(service: CalledService, { method, path, body }: LoadRequest): Promise<Reply> {
  const headers = { 'x-service-api-key': service.apiKey, ...(body !== undefined && { 'content-type': 'application/json' }) };
  const response = await fetch(`${service.url}${path}`, { method, headers, ...(body !== undefined && { body }) });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Reply;
}

/** A task.create request, as data. */
export function createRequest(text: string, isInteractive = false): LoadRequest {
  const body = JSON.stringify({ message: { content: text }, ...(isInteractive && { interactive_mode: true }) });
  return { method: 'POST', path: '/v2/task.create', body };
}

/** A task.sendMessage request, as data. */
export function messageRequest(taskId: string, text: string): LoadRequest {
  return { method: 'POST', path: '/v2/task.sendMessage', body: JSON.stringify({ task_id: taskId, message: { content: text } }) };
}

/** A task.stop request, as data. */
export function stopRequest(taskId: string): LoadRequest {
  return { method: 'POST', path: '/v2/task.stop', body: JSON.stringify({ task_id: taskId }) };
}

/** Creates a task and answers its id. */
export async function createTask(service: CalledService, text: string): Promise<string> {
  return (await call<{ task_id: string }>(service, createRequest(text))).task_id;
}

/** The newest `count` tasks. */
export async function listTasks(service: CalledService, count: number): Promise<TaskRow[]> {
  const tasks: TaskRow[] = [];
  let cursor: string | undefined;
  do {
    const query = new URLSearchParams({ limit: String(Math.min(pageLength, count - tasks.length)), ...(cursor && { cursor }) });
    const page = await call<Page>(service, { method: 'GET', path: `/v2/task.list?${query.toString()}` });
    tasks.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== undefined && tasks.length < count);
  return tasks;
}

function isDone(tasks: readonly TaskRow[]): boolean {
  return tasks.every(({ status }) => status !== 'running');
}

/** Whether none of the newest tasks runs: first those that end last, so that looking costs the service little until they do. */
async function areNewestDone(service: CalledService, count: number): Promise<boolean> {
  for (const most of [10, pageLength]) if (!isDone(await listTasks(service, Math.min(count, most)))) return false;
  return true;
}

/**
 * Waits until none of the newest `count` tasks runs and answers when that was, in wall-clock milliseconds. Work is taken in the
 * order in which it came, so a look at the newest ones is enough until they are done.
 */
export async function waitUntilIdle(service: CalledService, count: number): Promise<number> {
  for (;;) {
    if (await areNewestDone(service, count)) {
      const seenAt = Date.now();
      const tasks = await listTasks(service, count);
      const failed = tasks.find(({ status }) => status === 'error');
      if (failed) throw new Error(`task ${failed.id} failed`);
      if (tasks.length < count) throw new Error(`${tasks.length} tasks are there, not ${count}`);
      if (isDone(tasks)) return seenAt;
    }
    await pause(pollMs);
  }
}
