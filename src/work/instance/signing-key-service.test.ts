import { expect, it } from 'vitest';
import { describeStores } from '../../../test/support/db/databases.ts';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import { presentPublicKey, type SigningKey } from '../../rules/webhooks/webhook-signature.ts';
import type { Database } from '../../store/db/database.ts';
import { SigningKeys } from './signing-key-service.ts';

const week = 7 * 24 * 3_600_000;
const box = new SealedBox('a secret of this instance');

function publish(keys: readonly SigningKey[]): string[] {
  return keys.map((key) => presentPublicKey(key).rsaPem);
}

/** The store of a process that receives no hints. */
function withoutHints(database: Database): Database {
  return {
    hints: { publish: () => undefined, subscribe: () => () => undefined },
    deltas: database.deltas,
    run: (operation, args) => database.run(operation, args),
    runOnce: (operation, args, key) => database.runOnce(operation, args, key),
    close: () => Promise.resolve(),
  };
}

describeStores('signing keys', (store) => {
  const open = (database: Database = store.database, clock = new TestClock()) => new SigningKeys({ database, clock, box });

  it('are created once, however many processes request them first', async () => {
    const answers = await Promise.all(store.others.map((database) => open(database).current()));
    const [first = [], ...others] = answers.map(publish);
    expect(first).toHaveLength(1);
    for (const other of others) expect(other).toEqual(first);
    expect(publish(await open().current())).toEqual(first);
  });

  it('are 2,048 bits of RSA and ed25519, and are stored sealed', async () => {
    const [key] = await open().current();
    expect(key?.rsa.asymmetricKeyDetails).toMatchObject({ modulusLength: 2048 });
    expect(key?.ed25519.asymmetricKeyType).toBe('ed25519');
    const [row] = await store.query('SELECT rsa, ed25519 FROM signing_keys');
    for (const [name, text] of Object.entries(row ?? {})) {
      const plain = key?.[name as 'rsa' | 'ed25519'].export({ type: 'pkcs8', format: 'der' });
      const seen = Buffer.from(String(text).slice(3), 'base64url');
      expect(seen.includes(plain?.subarray(-32) ?? '')).toBe(false);
    }
  });

  it('are replaced by a rotation, after which the previous keys are valid for a week', async () => {
    const keys = open();
    const [old = ''] = publish(await keys.current());
    const rotated = publish(await keys.rotate());
    expect(rotated).toEqual([expect.not.stringContaining(old), old]);
    expect(publish(await keys.current())).toEqual(rotated);
    await store.query('UPDATE signing_keys SET retires_at = retires_at - ? RETURNING generation', week);
    expect(publish(await open().current())).toEqual(rotated.slice(0, 1));
    await keys.rotate();
    expect(await store.query('SELECT generation FROM signing_keys ORDER BY generation')).toEqual([
      { generation: 2 },
      { generation: 3 },
    ]);
  });

  it('reach other processes with the hint, or within a minute without it', async () => {
    const clock = new TestClock();
    const [here = store.database, there = store.database] = store.others;
    const other = open(there, clock);
    await other.current();
    const deaf = open(withoutHints(there), clock);
    await deaf.current();
    const rotated = publish(await open(here).rotate());
    await expect.poll(async () => publish(await other.current())).toEqual(rotated);
    expect(publish(await deaf.current())).toHaveLength(1);
    await clock.advance(60_000);
    expect(publish(await deaf.current())).toEqual(rotated);
  });

  it('cannot be created or opened by a process without the secret, which reports that', async () => {
    const refusal = { code: 'failed_precondition', message: expect.stringContaining('ERRAND_SECRET') as unknown };
    const stranger = new SigningKeys({ database: store.database, clock: new TestClock(), box: null });
    await expect(stranger.current()).rejects.toMatchObject(refusal);
    await open().current();
    await expect(stranger.current()).rejects.toMatchObject(refusal);
  });
});
