import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { isEnd } from '../service/service-client.ts';
import { readForm, WebBrowser } from '../http/scriptless-browser.ts';
import type { Attack } from './attack.ts';
import { RequestFlood } from './request-flood.ts';

/** Requests of the hostile account, or of strangers, at the same time, for each degree of their strength. */
const lanes = 4;
/** Tasks that filters have to pass over, likewise. */
const filtered = 25;
const fileBytes = 16 * 1024 * 1024;
/** Downloads that nobody reads, likewise. */
const unread = 16;
const secret = 'the secret of this trigger';

/** Filters that match none of the tasks, by all that tasks can be filtered by. */
export const filters: Attack = {
  name: 'filters',
  async begin({ hostile, strength }) {
    const ids = await Promise.all(
      Array.from({ length: filtered * strength }, async () => {
        const metadata = Object.fromEntries(Array.from({ length: 16 }, (_, key) => [`key${key}`, 'v'.repeat(500)]));
        const made = await hostile.ask('task.create', { message: { content: 'say well' }, metadata });
        return (made as { task_id: string }).task_id;
      }),
    );
    for (const id of ids) await hostile.follow(id, isEnd);
    const flood = new RequestFlood(lanes * strength, async () => {
      const absent = { 'metadata.key0': 'absent', 'metadata.key15': 'absent', external_user_id: 'nobody', query: 'absent' };
      const { data } = (await hostile.ask('task.list', { ...absent, status: 'stopped,error', limit: 100 })) as { data: object[] };
      return `${data.length} tasks`;
    });
    await flood.waitForOutcomes(1);
    return flood;
  },
};

/** Downloads of a large file, as fast as it comes, and more that are not read at all. */
export const downloads: Attack = {
  name: 'downloads',
  async begin({ service, hostile, hostileKey, strength }) {
    const made = (await hostile.ask('file.upload', { filename: 'a.bin' })) as { file: { id: string }; upload_url: string };
    await fetch(made.upload_url, { method: 'PUT', body: randomBytes(fileBytes) });
    const url = `${service.url}/v1/files/${made.file.id}/content`;
    const open = (signal: AbortSignal) => fetch(url, { headers: { API_KEY: hostileKey }, signal });
    const leaving = new AbortController();
    const stalled = await Promise.all(Array.from({ length: unread * strength }, () => open(leaving.signal)));
    const flood = new RequestFlood(lanes * strength, async (signal) => {
      const { status, body } = await open(signal);
      let bytes = 0;
      for await (const chunk of body ?? []) bytes += (chunk as Uint8Array).byteLength;
      return `${status}, ${bytes} bytes`;
    });
    await flood.waitForOutcomes(1);
    return {
      get outcomes() {
        return [...stalled.map(({ status }) => `${status}, ${fileBytes} bytes`), ...flood.outcomes];
      },
      waitForOutcomes: (count) => flood.waitForOutcomes(count),
      async end() {
        leaving.abort();
        await flood.end();
      },
    };
  },
};

/** Wrong passwords for one account after the other: each costs the service a hash until its address has tried too often. */
export const signIns: Attack = {
  name: 'sign-ins',
  async begin({ service, strength }) {
    const flood = new RequestFlood(lanes * strength, async () => {
      // Each answer comes with a new form.
      const browser = new WebBrowser(service.url);
      const fields = readForm((await browser.send('/sign-in')).text, '/sign-in');
      const email = `${randomUUID()}@example.com`;
      return String((await browser.post('/sign-in', { ...fields, email, password: 'a wrong password' })).status);
    });
    await flood.waitForOutcomes(1);
    return flood;
  },
};

/** Deliveries to a trigger, as large as they may be, that are not signed as they should be. */
export const forgeries: Attack = {
  name: 'forgeries',
  async begin({ hostile, strength }) {
    const verification = { type: 'hmac_sha256', secret, header: 'x-signature' };
    const made = await hostile.ask('trigger.create', { name: 'a', message_template: 'say {{body}}', verification });
    const { url } = (made as { trigger: { url: string } }).trigger;
    const body = Buffer.from(JSON.stringify({ text: 'w'.repeat(1_000_000) }));
    const headers = { 'content-type': 'application/json', 'content-length': body.length, 'x-signature': 'f'.repeat(64) };
    const agent = new Agent({ keepAlive: true });
    // Not by fetch, which copies the body for each request: the measured account's client is in this process.
    const flood = new RequestFlood(lanes * strength, async (signal) => {
      const sent = request(url, { method: 'POST', headers, agent, signal }).end(body);
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      response.resume();
      await once(response, 'end');
      return String(response.statusCode);
    });
    await flood.waitForOutcomes(1);
    return {
      outcomes: flood.outcomes,
      waitForOutcomes: (count) => flood.waitForOutcomes(count),
      async end() {
        await flood.end();
        agent.destroy();
      },
    };
  },
};
