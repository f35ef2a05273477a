import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

export const checkout = path.join(import.meta.dirname, '../..');

/** @typedef {{ url: string, apiKey: string }} ServiceAccess */
/** @typedef {{ tool: string, input: object }} ToolCall */

/** What a service of a trial is set to, with its data in this folder. @param {string} folder @param {string} apiKey */
export function serviceSettings(folder, apiKey) {
  return {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    ERRAND_DATA_DIR: path.join(folder, 'data'),
    ERRAND_PORT: '0',
    ERRAND_CONTENT_PORT: '0',
    ERRAND_MODEL: 'offline/offline-1',
    ERRAND_BOOTSTRAP_KEY: apiKey,
    ERRAND_OUTBOUND_ALLOW: '127.0.0.0/8,::1/128',
  };
}

/** Starts the service of this checkout; its URL, and its end. @param {Record<string, string>} env */
export async function startService(env) {
  const service = spawn(process.execPath, ['src/main.ts', 'serve'], { cwd: checkout, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(service, 'exit');
  const stop = async () => {
    service.kill('SIGTERM');
    await ended;
  };
  for await (const line of createInterface({ input: service.stdout })) {
    const entry = line.startsWith('{') ? JSON.parse(line) : {};
    if (entry.msg === 'ready') return { url: String(entry.url), stop };
  }
  throw new Error('the service did not start');
}

/** An operation of the API. @param {ServiceAccess} access @param {string} name @param {Record<string, unknown>} input */
export async function ask({ url, apiKey }, name, input) {
  const isRead = /\.(detail|list|listMessages)$/.test(name);
  const query = new URLSearchParams(Object.entries(input).map(([key, value]) => [key, String(value)])).toString();
  const answer = await fetch(`${url}/v2/${name}${isRead ? `?${query}` : ''}`, {
    headers: { 'x-service-api-key': apiKey, 'content-type': 'application/json' },
    ...(!isRead && { method: 'POST', body: JSON.stringify(input) }),
  });
  const body = await answer.json();
  if (!answer.ok) throw new Error(`${name}: ${body.error?.message}`);
  return body;
}

/**
 * Has one task call tools of a connector one after another.
 * @param {ServiceAccess} access @param {string} connectorId @param {ToolCall[]} calls
 * @returns {Promise<string[]>} what each brought
 */
export async function callTools(access, connectorId, calls) {
  const content = `\`\`\`scenario\n${JSON.stringify(calls.map((call) => ({ calls: [call] })))}\n\`\`\``;
  const { task_id: taskId } = await ask(access, 'task.create', { message: { content, connectors: [connectorId] } });
  while ((await ask(access, 'task.detail', { task_id: taskId })).task.status === 'running') await pause(50);
  const { messages } = await ask(access, 'task.listMessages', { task_id: taskId, order: 'asc', verbose: true, limit: 200 });
  return messages.flatMap((/** @type {any} */ { tool_used: used }) => (used ? [String(used.description)] : []));
}
