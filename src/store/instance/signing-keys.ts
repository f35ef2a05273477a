import { type StoreOperation, selectAll, sql } from '../db/store-operation.ts';
import { integer, nullable, tableCodec, text } from '../db/row-codec.ts';

/** One generation of signing keys; the private halves are sealed. */
export interface StoredSigningKey {
  generation: number;
  rsa: string;
  ed25519: string;
  createdAtMs: number;
  /** When it expires; null for the newest. */
  retiresAtMs: number | null;
}

const signingKeyRow = tableCodec('signing_keys', {
  generation: integer,
  rsa: text,
  ed25519: text,
  created_at: integer,
  retires_at: nullable(integer),
});

/** The valid keys, newest first. */
export const readSigningKeys: StoreOperation<null, StoredSigningKey[]> = {
  name: 'signingKeys.read',
  access: 'read',
  *run() {
    const rows = yield* selectAll(
      `SELECT ${signingKeyRow.columns} FROM signing_keys
       WHERE generation > 0 AND (retires_at IS NULL OR retires_at > errand_now()) ORDER BY generation DESC`,
    );
    return rows.map(signingKeyRow.read);
  },
};

export interface AddSigningKeyArgs {
  generation: number;
  rsa: string;
  ed25519: string;
  now: number;
  /** How long previous generations stay valid. */
  overlapMs: number;
}

/** Adds the generation, unless another process has just done so: then all processes use that one. */
export const addSigningKey: StoreOperation<AddSigningKeyArgs, null> = {
  name: 'signingKeys.add',
  access: 'exclusive',
  *run({ generation, rsa, ed25519, now, overlapMs }) {
    const added = yield* selectAll(
      `INSERT INTO signing_keys (generation, rsa, ed25519, created_at) VALUES (?, ?, ?, ?)
       ON CONFLICT DO NOTHING RETURNING generation`,
      generation,
      rsa,
      ed25519,
      now,
    );
    if (added.length === 0) return null;
    yield [
      sql('DELETE FROM signing_keys WHERE generation < ? AND retires_at <= errand_now()', generation),
      sql(
        'UPDATE signing_keys SET retires_at = errand_now() + ? WHERE generation < ? AND retires_at IS NULL',
        overlapMs,
        generation,
      ),
    ];
    return null;
  },
  announce: () => [{ topic: 'credentials' }],
};
