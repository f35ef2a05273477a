import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newId } from '../../src/base/ids.ts';
import { ApiUnderTest, type Json } from '../acceptance/api-under-test.ts';
import { WorkerHand } from '../acceptance/worker-hand.ts';
import { insertArtifact } from '../support/artifact-samples.ts';
import { beginRun } from '../support/crash-run.ts';
import { describeStores, type OpenStore } from '../support/databases.ts';
import { canary } from './hostile-values.ts';
import { findStored } from './stored-text.ts';
import { type Input, type Published, readPublished, writeRequest } from './published-api.ts';

/** What the account has, a few of each kind; what requests make joins them. */
class Things {
  readonly #ids = new Map<string, string[]>([
    ['agent', ['agent-default']],
    ['task', ['agent-default-main_task']],
  ]);

  add(kind: string, id: unknown): void {
    if (typeof id !== 'string') return;
    const ids = this.#ids.get(kind) ?? [];
    this.#ids.set(kind, [...ids.slice(-7), id]);
  }

  /** Of what an answer told. */
  learn({ task_id, id, object, deleted, project, file, webhook, webhook_id, connector, skill }: Json): void {
    if (deleted === true) {
      for (const [kind, ids] of this.#ids)
        this.#ids.set(
          kind,
          ids.filter((known) => known !== id),
        );
      return;
    }
    this.add('task', task_id ?? (object === 'response' ? id : undefined));
    this.add('project', (project as Json | undefined)?.id);
    this.add('file', (file as Json | undefined)?.id ?? (object === 'file' ? id : undefined));
    this.add('connector', (connector as Json | undefined)?.id);
    this.add('skill', (skill as Json | undefined)?.id);
    this.add('webhook', (webhook as Json | undefined)?.id ?? webhook_id);
  }

  find(kind: string, index: number): string {
    const ids = this.#ids.get(kind) ?? [];
    return ids[index % Math.max(1, ids.length)] ?? newId(1);
  }
}

interface Seen {
  count: number;
  ids: Set<string | null>;
  /** How often each operation did what it was asked to. */
  granted: Map<string, number>;
}

/** A task that has ended, so that its stream ends, and something of every other kind. */
async function furnish(store: OpenStore, api: ApiUnderTest, things: Things): Promise<void> {
  for (let count = 0; count < 4; count++) {
    const taskId = await api.createTask(`task ${count}`);
    const hand = await WorkerHand.take(store.database, taskId);
    if (count % 2 === 0) await hand.finish('done');
    else await hand.ask('why?');
    things.add('task', taskId);
  }
  const [artifactId, { accountId, keyId }] = [newId(Date.now()), api.owner];
  await insertArtifact(store.query, accountId, { id: artifactId, filename: 'a.pdf', apiKeyId: keyId, oauthClientId: null });
  things.add('artifact', artifactId);
  things.learn((await api.call('project.create', { name: 'Garden' })).body);
  things.learn((await api.call('file.upload', { filename: 'a.txt' })).body);
  things.learn((await api.call('webhook.create', { url: 'https://example.com/hook' })).body);
}

/** The first events of a stream that ends or does not. */
async function readStart(response: Response): Promise<Json[]> {
  const reader = response.body?.getReader();
  const first = (await reader?.read()) as { value?: Uint8Array } | undefined;
  await reader?.cancel();
  const text = new TextDecoder().decode(first?.value);
  return [...text.matchAll(/^id: \w+\ndata: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as Json);
}

/** Asks once; null when the answer is as published, otherwise what is wrong with it. */
async function ask(api: ApiUnderTest, operation: Published, input: Input, things: Things, seen: Seen): Promise<unknown> {
  const { url, body } = writeRequest(operation, input, (kind, index) => things.find(kind, index));
  const headers: Record<string, string> = operation.isLegacy
    ? { API_KEY: api.owner.key }
    : { 'x-service-api-key': api.owner.key };
  if (body !== null) headers['content-type'] = 'application/json';
  if (input.idempotencyKey !== null) headers['idempotency-key'] = input.idempotencyKey;
  const response = await fetch(api.http.url() + url, { method: operation.method, headers, body });
  seen.ids.add(response.headers.get('x-request-id'));
  seen.count++;
  if (response.ok) seen.granted.set(operation.id, (seen.granted.get(operation.id) ?? 0) + 1);
  const wrong = (what: unknown) => ({ operation: operation.id, url, body: body?.slice(0, 2000), status: response.status, what });
  const { status } = response;
  if (status >= 500) return wrong(await response.text());
  if (operation.isStream && status === 200) {
    const events = await readStart(response);
    const bad = events.find((event) => !operation.success?.({ data: event }));
    return bad ? wrong([bad, operation.success?.errors]) : null;
  }
  const text = await response.text();
  if (status === 204) return operation.success === null && text === '' ? null : wrong(text);
  const answer = JSON.parse(text) as Json;
  const validate = status === 200 ? operation.success : operation.failure;
  if (!validate?.(answer)) return wrong([answer, validate?.errors]);
  if (!operation.isLegacy && answer.request_id !== response.headers.get('x-request-id')) return wrong('two request ids');
  if (status === 200) things.learn(answer);
  return text.includes(canary) ? wrong('an unknown field comes back') : null;
}

describeStores('every operation of the OpenAPI document', (store) => {
  it('answers whatever its schema allows, and what it does not, as the document says, and keeps no field it does not know', async () => {
    const run = beginRun(`published schemas on ${store.engine}`, { gate: 400, night: 10_000 });
    const publicKeys = () => Promise.resolve([{ createdAtMs: 1, rsaPem: 'pem', standard: 'whpk_' }]);
    const [probe, resendMissed] = [() => Promise.resolve(null), () => Promise.resolve(0)];
    const webhooks = { probe, resendMissed, publicKeys, rotateKeys: publicKeys };
    await using api = await ApiUnderTest.start(store.database, { webhooks });
    const [published, things] = [await readPublished(api), new Things()];
    await furnish(store, api, things);
    const seen: Seen = { count: 0, ids: new Set(), granted: new Map() };
    const request = fc
      .nat(published.length - 1)
      .chain((index) =>
        fc.tuple(
          fc.constant(index),
          published[index]?.input ?? fc.constant<Input>({ path: {}, query: {}, body: null, idempotencyKey: null }),
        ),
      );
    const property = fc.asyncProperty(request, async ([index, input]) => {
      const operation = published[index];
      if (operation) expect(await ask(api, operation, input, things, seen)).toBeNull();
    });
    await fc.assert(property, { numRuns: run.rounds, seed: run.seed | 0 });
    const granted = [...seen.granted.values()].reduce((sum, count) => sum + count, 0);
    run.note({ neverGranted: published.flatMap(({ id }) => (seen.granted.has(id) ? [] : [id])) });
    run.measure({ asked: seen.count, granted, operations: published.length, grantedOperations: seen.granted.size });
    expect(seen.ids.size).toBe(seen.count);
    expect(await findStored(store, canary)).toEqual([]);
    // Requests that are all refused would show nothing.
    expect(granted).toBeGreaterThan(seen.count / 5);
  }, 1_200_000);
});
