import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { readForm, WebBrowser } from '../http/scriptless-browser.ts';
import { isEnd, type ServiceClient } from '../service/service-client.ts';
import type { Attack } from './attack.ts';
import { RequestFlood } from './request-flood.ts';
import type { Stage } from './stage.ts';
import { addMessages } from './talkative.ts';

/** Requests of the hostile account at the same time. */
const lanes = 16;
const uploadBytes = 16 * 1024 * 1024;
/** Messages of two kilobytes in the log that is read. */
const logged = 2000;
/** Streams that nobody reads. */
const unread = 200;

async function createFinished(client: ServiceClient): Promise<string> {
  const taskId = await client.createTask('say well');
  await client.follow(taskId, isEnd);
  return taskId;
}

/** Readers of a long log: some read all of it again and again, more do not read at all. */
export const readers: Attack = {
  name: 'readers',
  async begin({ service, databaseUrl, hostile, hostileKey }) {
    const taskId = await createFinished(hostile);
    await addMessages(service, databaseUrl, taskId, logged);
    const url = `${service.url}/v2/task.stream?task_id=${taskId}&verbose=true`;
    const open = (signal: AbortSignal) => fetch(url, { headers: { 'x-service-api-key': hostileKey }, signal });
    const leaving = new AbortController();
    const stalled = await Promise.all(Array.from({ length: unread }, () => open(leaving.signal)));
    const flood = new RequestFlood(lanes, async (signal) => {
      const { status, body } = await open(signal);
      let bytes = 0;
      for await (const chunk of body ?? []) {
        bytes += (chunk as Uint8Array).byteLength;
        if (bytes > logged * 2000) break;
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

/** Uploads one beside the other, each read back and deleted: what network and disk can do. */
export const transfers: Attack = {
  name: 'transfers',
  async begin({ hostile }) {
    const body = randomBytes(uploadBytes);
    const flood = new RequestFlood(lanes, async (signal) => {
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

/** A wrong password, from one of many addresses; the status of the answer. */
async function guess(
  url: string,
  form: Record<string, string>,
  cookie: string,
  from: string,
  signal: AbortSignal,
): Promise<string> {
  const body = new URLSearchParams({ ...form, email: 'somebody@example.com', password: 'wrong password' }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: url, cookie };
  const asked = request(`${url}/sign-in`, { method: 'POST', localAddress: from, headers, signal });
  asked.end(body);
  const [response] = (await once(asked, 'response')) as [{ statusCode: number; resume(): void }];
  response.resume();
  await once(response as never, 'end');
  return String(response.statusCode);
}

/** Wrong passwords from so many addresses that no limit of one holds. */
export const signInAttempts: Attack = {
  name: 'sign-in attempts',
  async begin({ service: { url } }: Stage) {
    const browser = new WebBrowser(url);
    const form = readForm((await browser.send('/sign-in')).text, '/sign-in');
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    let count = 0;
    const flood = new RequestFlood(lanes, (signal) => {
      count += 1;
      return guess(url, form, cookie, `127.${1 + (count % 200)}.${Math.floor(count / 200) % 250}.1`, signal);
    });
    await flood.waitForOutcomes(1);
    return flood;
  },
};
