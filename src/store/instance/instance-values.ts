import { type StoreOperation, selectAll, selectFirst, selectOne } from '../db/store-operation.ts';
import { tableCodec, text } from '../db/row-codec.ts';

const instanceRow = tableCodec('instance', { value: text });

/** The id of this instance: the proposed one if it has none yet. What lies outside of the database is kept under it. */
export const nameInstance: StoreOperation<string, string> = {
  name: 'instance.name',
  access: 'exclusive',
  *run(proposedId) {
    yield* selectAll("INSERT INTO instance (name, value) VALUES ('id', ?) ON CONFLICT DO NOTHING RETURNING value", proposedId);
    const row = yield* selectOne("SELECT value FROM instance WHERE name = 'id'");
    return instanceRow.value(row);
  },
};

/** A fact about this instance: the proposed one if there is none of this name yet. */
export const setInstanceValue: StoreOperation<{ name: string; value: string }, string> = {
  name: 'instance.setValue',
  access: 'exclusive',
  *run({ name, value }) {
    yield* selectAll('INSERT INTO instance (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING value', name, value);
    const row = yield* selectOne('SELECT value FROM instance WHERE name = ?', name);
    return instanceRow.value(row);
  },
};

/** A fact about this instance; null where there is none of this name. */
export const getInstanceValue: StoreOperation<string, string | null> = {
  name: 'instance.getValue',
  access: 'read',
  *run(name) {
    const row = yield* selectFirst('SELECT value FROM instance WHERE name = ?', name);
    return row ? instanceRow.value(row) : null;
  },
};

export interface Addresses {
  baseUrl: string;
  contentUrl: string;
}

/** Notes the addresses of the service as people see it, for what is written without a request: webhooks. */
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
