import { type StoreOperation, selectAll, selectFirst, selectOne } from '../db/store-operation.ts';
import { tableCodec, text } from '../db/row-codec.ts';

const instanceRow = tableCodec('instance', { value: text });

/** The id of this instance: the proposed one if it has none yet. Names what is stored outside the database. */
export const nameInstance: StoreOperation<string, string> = {
  name: 'instance.name',
  access: 'exclusive',
  *run(proposedId) {
    yield* selectAll("INSERT INTO instance (name, value) VALUES ('id', ?) ON CONFLICT DO NOTHING RETURNING value", proposedId);
    const row = yield* selectOne("SELECT value FROM instance WHERE name = 'id'");
    return instanceRow.value(row);
  },
};

/** A value of this instance: stores the proposed one if there is none of this name yet. */
export const setInstanceValue: StoreOperation<{ name: string; value: string }, string> = {
  name: 'instance.setValue',
  access: 'exclusive',
  *run({ name, value }) {
    yield* selectAll('INSERT INTO instance (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING value', name, value);
    const row = yield* selectOne('SELECT value FROM instance WHERE name = ?', name);
    return instanceRow.value(row);
  },
};

/** A value of this instance; null if there is none of this name. */
export const getInstanceValue: StoreOperation<string, string | null> = {
  name: 'instance.getValue',
  access: 'read',
  *run(name) {
    const row = yield* selectFirst('SELECT value FROM instance WHERE name = ?', name);
    return row ? instanceRow.value(row) : null;
  },
};

/** Stores the time, to prove that this process can write; it waits for no other work, so a busy store is not considered broken. */
export const proveWrite: StoreOperation<number, null> = {
  name: 'instance.proveWrite',
  access: 'priority',
  *run(now) {
    yield* selectAll(
      `INSERT INTO instance (name, value) VALUES ('written_at', ?)
       ON CONFLICT (name) DO UPDATE SET value = excluded.value RETURNING value`,
      String(now),
    );
    return null;
  },
};

export interface Addresses {
  baseUrl: string;
  contentUrl: string;
}

/** Stores the public URLs of the service for code that runs without a request, such as webhooks. */
export const noteAddresses: StoreOperation<Addresses, null> = {
  name: 'instance.noteAddresses',
  access: 'exclusive',
  *run({ baseUrl, contentUrl }) {
    yield* selectAll(
      `INSERT INTO instance (name, value) VALUES ('base_url', ?), ('content_url', ?)
       ON CONFLICT (name) DO UPDATE SET value = excluded.value RETURNING value`,
      baseUrl,
      contentUrl,
    );
    return null;
  },
};
