import { describe, expect, it } from 'vitest';
import { LocalHints } from '@errand/base/signals/hints.ts';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import type { KeyOwner } from '../../store/accounts/api-keys.ts';
import { CredentialOwners } from './credential-owners.ts';

const limits = { scope: 'everything', expiresAtMs: null } as const;
const ann: KeyOwner = { accountId: 'ann', keyId: 'k1', plan: 'pro', locale: 'en', status: 'active', ...limits };

function open() {
  const owners = new Map([[digestSecret('sk-ann'), ann]]);
  const lookups: string[] = [];
  const state = { now: 0, gate: Promise.resolve() };
  const hints = new LocalHints();
  const search = async (digest: string) => {
    lookups.push(digest);
    const owner = owners.get(digest) ?? null;
    await state.gate;
    return owner;
  };
  const clock = { now: () => 0, monotonic: () => state.now, setTimer: () => ({ cancel: () => undefined }) };
  return { owners, lookups, hints, state, known: new CredentialOwners(hints, clock, search) };
}

describe('the owner of a credential', () => {
  it('is looked up once for concurrent requests, and then cached for half a second', async () => {
    const { known, lookups, state } = open();
    const answers = await Promise.all(Array.from({ length: 20 }, async () => known.find('sk-ann')));
    expect(new Set(answers)).toEqual(new Set([ann]));
    state.now = 499;
    expect(known.find('sk-ann')).toBe(ann);
    expect(lookups).toEqual([digestSecret('sk-ann')]);
    state.now = 500;
    expect(await known.find('sk-ann')).toBe(ann);
    expect(lookups).toHaveLength(2);
  });

  it('is dropped from the cache when any credential changes, even during a lookup', async () => {
    const { known, owners, hints, state } = open();
    await known.find('sk-ann');
    const { promise, resolve } = Promise.withResolvers<void>();
    state.now = 600;
    state.gate = promise;
    const late = known.find('sk-ann');
    owners.clear();
    hints.publish({ topic: 'credentials' });
    resolve();
    expect(await late).toBe(ann);
    expect(await known.find('sk-ann')).toBeNull();
  });

  it('is looked up each time if there is none, so that a new key works at once', async () => {
    const { known, owners } = open();
    expect(await known.find('sk-bob')).toBeNull();
    owners.set(digestSecret('sk-bob'), ann);
    expect(await known.find('sk-bob')).toBe(ann);
  });

  it('is not cached by a failed lookup', async () => {
    const { known, state } = open();
    state.gate = Promise.reject(new Error('away'));
    await expect(known.find('sk-ann')).rejects.toThrow('away');
    state.gate = Promise.resolve();
    expect(await known.find('sk-ann')).toBe(ann);
  });
});
