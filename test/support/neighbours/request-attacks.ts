import { randomBytes } from 'node:crypto';
import { eventually, type ServiceClient } from '../service/service-client.ts';
import type { Attack } from './attack.ts';
import { RequestFlood } from './request-flood.ts';

/** Requests of the hostile account at the same time, for each degree of its strength. */
const lanes = 4;
const uploadBytes = 16 * 1024 * 1024;
/** Turns of the task that is read, and the characters of each message and reply. */
const turns = 4;
const spoken = 190_000;
/** Turns of the task that is listed. */
const longTurns = 24;
/** Streams that nobody reads, for each degree of strength. */
const unread = 50;

/** A task whose log has some megabytes. */
async function createLong(client: ServiceClient, turnCount: number): Promise<string> {
  const content = `say ${'w'.repeat(spoken)}`;
  const taskId = await client.createTask(content);
  for (let turn = 1; turn < turnCount; turn += 1) {
    await eventually('the end of a turn', async () => ((await client.statusOf(taskId)) === 'stopped' ? true : null));
    await client.ask('task.sendMessage', { task_id: taskId, message: { content } });
  }
  return taskId;
}

/** Readers of a long log: some read all of it again and again, more do not read at all. */
export const readers: Attack = {
  name: 'readers',
  async begin({ service, hostile, hostileKey, strength }) {
    const taskId = await createLong(hostile, turns);
    const url = `${service.url}/v2/task.stream?task_id=${taskId}&verbose=true`;
    const open = (signal: AbortSignal) => fetch(url, { headers: { 'x-service-api-key': hostileKey }, signal });
    const leaving = new AbortController();
    const stalled = await Promise.all(Array.from({ length: unread * strength }, () => open(leaving.signal)));
    const flood = new RequestFlood(lanes * strength, async (signal) => {
      const { status, body } = await open(signal);
      let bytes = 0;
      for await (const chunk of body ?? []) {
        bytes += (chunk as Uint8Array).byteLength;
        if (bytes > turns * spoken) break;
      }
      return String(status);
    });
    await flood.waitForOutcomes(1);
    return {
      get outcomes() {
        return [...stalled.map(({ status }) => String(status)), ...flood.outcomes];
      },
      waitForOutcomes: (count) => flood.waitForOutcomes(count),
      async end() {
        leaving.abort();
        await flood.end();
      },
    };
  },
};

/** Lists of a long log, all of it in as few pages as there are, again and again. */
export const lists: Attack = {
  name: 'lists',
  async begin({ service, hostile, hostileKey, strength }) {
    const taskId = await createLong(hostile, longTurns);
    const flood = new RequestFlood(lanes * strength, async (signal) => {
      const url = `${service.url}/v2/task.listMessages?task_id=${taskId}&limit=200&verbose=true`;
      const answer = await fetch(url, { headers: { 'x-service-api-key': hostileKey }, signal });
      await answer.arrayBuffer();
      return String(answer.status);
    });
    await flood.waitForOutcomes(1);
    return flood;
  },
};

/** Uploads one beside the other, each read back and deleted: what network and disk can do. */
export const transfers: Attack = {
  name: 'transfers',
  async begin({ hostile, strength }) {
    const body = randomBytes(uploadBytes);
    const flood = new RequestFlood(lanes * strength, async (signal) => {
      const { file, upload_url: url } = (await hostile.ask('file.upload', { filename: 'a.bin' })) as {
        file: { id: string };
        upload_url: string;
      };
      const { status } = await fetch(url, { method: 'PUT', body, signal });
      await hostile.ask('file.delete', { file_id: file.id });
      return String(status);
    });
    await flood.waitForOutcomes(1);
    return flood;
  },
};
