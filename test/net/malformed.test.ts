import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { operations } from '../../src/api/index.ts';
import { legacyOperations } from '../../src/legacy/index.ts';
import type { Chance } from '../support/base/chance.ts';
import { beginRun } from '../support/process/crash-run.ts';
import { ServiceProcess } from '../support/service/supervisor.ts';

interface Target {
  path: string;
  method: string;
  isLegacy: boolean;
}

/** Every address that takes a body, of both versions; what stands for a parameter of the path names nothing. */
const targets: readonly Target[] = [
  ...operations.filter(({ method }) => method === 'POST').map(({ path, method }) => ({ path, method, isLegacy: false })),
  ...legacyOperations
    .filter(({ method }) => method === 'POST' || method === 'PUT')
    .map(({ path, method }) => ({ path: path.replaceAll(/:\w+/g, 'A'.repeat(22)), method, isLegacy: true })),
];

const atOnce = 32;
const contentTypes = [
  'application/json',
  'application/json; charset=utf-16',
  'text/plain',
  'application/x-www-form-urlencoded',
  '',
];
const odd: unknown[] = [null, true, 0, -1, 1e308, '', '\u0000', '\ud83d', [], {}, [[[]]], 'x'.repeat(3000), { $ref: '#' }];

/** A body that some operation takes, with every field that any of them has. */
const whole = {
  task_id: 'A'.repeat(22),
  message: {
    content: [
      { type: 'text', text: 'hällo' },
      { type: 'file', file_data: 'data:text/plain;base64,QQ==', filename: 'a.txt' },
    ],
  },
  title: 'ö',
  locale: 'en',
  share_visibility: 'public',
  structured_output_schema: {
    type: 'object',
    properties: { a: { type: 'string' } },
    required: ['a'],
    additionalProperties: false,
  },
  url: 'nowhere',
  filename: 'a.txt',
  name: 'Garden',
  prompt: 'hällo',
  input: [{ role: 'user', content: [{ type: 'input_text', text: 'ö' }] }],
  webhook: { url: 'nowhere' },
  taskMode: 'agent',
  createShareableLink: true,
};

/** From 0 up to, without it. */
function below(chance: Chance, end: number): number {
  return chance.integer(0, end - 1);
}

function pick<Item>(chance: Chance, items: readonly Item[]): Item {
  return items[below(chance, items.length)] as Item;
}

/** The body with some of its values replaced, or with bytes of its text changed, cut out or put in. */
function damage(chance: Chance): Buffer {
  if (below(chance, 3) === 0) {
    const names = Object.keys(whole);
    const changed: Record<string, unknown> = { ...whole };
    for (let count = 1 + below(chance, 3); count > 0; count--) changed[pick(chance, names)] = pick(chance, odd);
    return Buffer.from(JSON.stringify(changed));
  }
  let body = Buffer.from(JSON.stringify(whole));
  for (let count = 1 + below(chance, 4); count > 0; count--) {
    const at = below(chance, body.length);
    const put = Buffer.from(Array.from({ length: below(chance, 6) }, () => below(chance, 256)));
    body = Buffer.concat([body.subarray(0, at), put, body.subarray(at + below(chance, 8))]);
  }
  return body;
}

interface Answer {
  ok?: boolean;
  request_id?: string;
  error?: { code: string; message: string };
  /** Of v1, which has no envelope. */
  code?: unknown;
  message?: unknown;
  details?: unknown;
}

function isAnswer(status: number, { ok, error }: Answer): boolean {
  return ok === true ? status === 200 : ok === false && status < 500 && Boolean(error?.code && error.message);
}

function isLegacyAnswer(status: number, { ok, code, message, details }: Answer): boolean {
  if (status === 200) return ok === undefined && code === undefined;
  return status < 500 && Number.isInteger(code) && typeof message === 'string' && message !== '' && Array.isArray(details);
}

function residentMb(pid: number): number {
  const [, kb] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kb) / 1024;
}

it('answers malformed bodies of every kind in the envelope, each with a unique ID, without memory growth', async () => {
  const run = beginRun('malformed bodies', { gate: 10_000, night: 100_000 });
  const service = await ServiceProcess.start({ env: { ERRAND_LOG: 'warn', ERRAND_RATE_LIMITS: 'off' } });
  const ids = new Set<unknown>();
  const wrong: unknown[] = [];
  const ask = async () => {
    const { chance } = run;
    const [target, contentType, body] = [
      pick(chance, targets),
      below(chance, 8) === 0 ? pick(chance, contentTypes) : 'application/json',
      damage(chance),
    ];
    const { path, isLegacy } = target;
    const method = below(chance, 50) === 0 ? pick(chance, ['PUT', 'DELETE', 'PATCH']) : target.method;
    const headers = {
      [isLegacy ? 'api_key' : 'x-service-api-key']: service.apiKey,
      ...(contentType !== '' && { 'content-type': contentType }),
    };
    const response = await fetch(service.url + path, { method, headers, body });
    const answer = (await response.json()) as Answer;
    ids.add(isLegacy ? response.headers.get('x-request-id') : answer.request_id);
    if (!(isLegacy ? isLegacyAnswer : isAnswer)(response.status, answer))
      wrong.push([path, response.status, answer, body.toString('latin1').slice(0, 300)]);
  };
  const askMany = async (count: number) => {
    const lanes = Array.from({ length: atOnce }, async (_, lane) => {
      for (let done = lane; done < count; done += atOnce) await ask();
    });
    await Promise.all(lanes);
  };
  // What is compiled and pooled on the way belongs to the start.
  const warmUp = Math.min(2000, run.rounds / 4);
  await askMany(warmUp);
  const before = residentMb(service.pid);
  await askMany(run.rounds - warmUp);
  const grown = residentMb(service.pid) - before;
  run.measure({ grownMb: Math.round(grown) });
  expect(wrong).toEqual([]);
  expect(ids.size).toBe(run.rounds);
  expect(grown).toBeLessThan(100);
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
});
