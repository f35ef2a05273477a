import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { presentPublicKey, signMessage } from '../../src/rules/webhooks/webhook-signature.ts';
import { createFolder, removeFolder } from '../support/process/leftovers.ts';

const text = readFileSync(new URL('../../docs/build/webhooks.md', import.meta.url), 'utf8');
const folder = createFolder('docs');
const url = 'https://hooks.example.com/errand?a=1';
const body = '{"event_id":"task_created_1","note":"Ärger 🙂"}';
const nowMs = 1_767_225_600_000;

const key = {
  rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
  ed25519: generateKeyPairSync('ed25519').privateKey,
  createdAtMs: 1,
};
const published = presentPublicKey(key);

afterAll(() => removeFolder(folder));

function readExamples(language: string): string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(([, example = '']) => example);
}

/** What a receiver may get: the real thing, and what only looks like it. */
async function makeRequests() {
  const headers = await signMessage({ eventId: 'task_created_1', url, body, timestamp: nowMs / 1000 }, [key]);
  const later = { ...headers, 'x-webhook-timestamp': '1767225601', 'webhook-timestamp': '1767225601' };
  return [
    { headers, body, nowMs, isGood: true },
    { headers, body, nowMs: nowMs + 299_000, isGood: true },
    { headers, body: body.replace('1', '2'), nowMs, isGood: false },
    { headers: later, body, nowMs, isGood: false },
    { headers, body, nowMs: nowMs + 301_000, isGood: false },
    { headers, body, nowMs: nowMs - 301_000, isGood: false },
  ];
}

describe('the examples of docs/build/webhooks.md', () => {
  it.each([
    [1, published.rsaPem],
    [2, published.standard],
  ])('tell real requests from others in JavaScript (%i)', async (index, publicKey) => {
    const file = path.join(folder, `example-${index}.mjs`);
    writeFileSync(file, readExamples('js')[index] ?? '');
    const { isFromErrand } = (await import(file)) as { isFromErrand(request: object): boolean };
    for (const { headers, body: sent, nowMs: at, isGood } of await makeRequests()) {
      expect(isFromErrand({ url, headers, body: Buffer.from(sent), publicKey, nowMs: at })).toBe(isGood);
    }
  });

  it.each(['standardwebhooks', 'svix'])('read real requests, and no others, with the library %s', async (library) => {
    const file = path.join(folder, `${library}.mjs`);
    const example = readExamples('js')[0] ?? '';
    writeFileSync(file, example.replace("'standardwebhooks'", JSON.stringify(import.meta.resolve(library))));
    const { readEvent } = (await import(file)) as { readEvent(request: object): unknown };
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const message = { eventId: 'task_created_1', url, body, timestamp: Math.floor(Date.now() / 1000) };
    const headers = await signMessage(message, [key], [secret]);
    expect(readEvent({ headers, body, secret })).toEqual(JSON.parse(body));
    expect(() => readEvent({ headers, body: body.replace('1', '2'), secret })).toThrow('No matching signature found');
  });

  const hasPython = spawnSync('python3', ['-c', 'import cryptography']).status === 0;
  it.skipIf(!hasPython)('tell real requests from others in Python', async () => {
    const requests = await makeRequests();
    writeFileSync(path.join(folder, 'example.py'), readExamples('python')[0] ?? '');
    writeFileSync(path.join(folder, 'requests.json'), JSON.stringify({ url, key: published.rsaPem, requests }));
    const script = `
import json
from example import is_from_errand
given = json.load(open("requests.json"))
print(json.dumps([is_from_errand(given["url"], r["headers"], r["body"].encode(), given["key"], r["nowMs"] / 1000) for r in given["requests"]]))
`;
    const answer = execFileSync('python3', ['-c', script], { cwd: folder, encoding: 'utf8' });
    expect(JSON.parse(answer)).toEqual(requests.map(({ isGood }) => isGood));
  });
});
