import { instanceRecord } from '../../rules/accounts/security-event.ts';
import { sealedPlaces } from '../../rules/instance/sealed-places.ts';
import { computedCodec, nullable, text } from '../db/row-codec.ts';
import { type Script, selectAll, sql, type Statement, type StoreOperation } from '../db/store-operation.ts';
import { noteSecurityEvent } from '../accounts/security-events.ts';

/** Where sealed values are stored, in the order in which they are resealed. The proof of the secret is in the last table. */
export const sealedTables = [
  'signing_keys',
  'webhooks',
  'connectors',
  'triggers',
  'authenticators',
  'push_subscriptions',
  'model_keys',
  'model_settings',
  'instance',
] as const;
export type SealedTable = (typeof sealedTables)[number];

/** The key of a row; `accountId` is empty for those of the instance. */
export interface SealedRowKey {
  accountId: string;
  id: string;
}

interface TableSpec {
  columns: readonly string[];
  place(key: SealedRowKey, column: string): string;
  /** SQL expression of the id, for tables of the instance, which have few rows. Tables of accounts have `account_id` and `id`. */
  id?: string;
  /** SQL condition for the rows of an instance table; by default all. */
  only?: string;
}

const specs: Readonly<Record<SealedTable, TableSpec>> = {
  signing_keys: {
    columns: ['rsa', 'ed25519'],
    place: ({ id }, column) => sealedPlaces.signingKey(id, column),
    id: 'CAST(generation AS TEXT)',
  },
  webhooks: { columns: ['secret', 'previous_secret'], place: ({ id }) => sealedPlaces.webhook(id) },
  connectors: { columns: ['headers', 'oauth'], place: ({ accountId, id }) => sealedPlaces.connector(accountId, id) },
  triggers: { columns: ['secret', 'token'], place: ({ id }, column) => sealedPlaces.trigger(id, column) },
  authenticators: { columns: ['secret'], place: ({ id }) => sealedPlaces.authenticator(id) },
  push_subscriptions: { columns: ['target'], place: ({ id }) => sealedPlaces.pushTarget(id) },
  model_keys: { columns: ['sealed_key'], place: ({ accountId, id }) => sealedPlaces.accountModelKey(accountId, id) },
  model_settings: { columns: ['sealed_key'], place: ({ id }) => sealedPlaces.modelKey(id), id: 'profile' },
  instance: {
    columns: ['value'],
    place: ({ id }) => sealedPlaces.instanceValue(id),
    id: 'name',
    only: "name IN ('content_key', 'push_key', 'secret_proof')",
  },
};

/** The columns of a table that have sealed values. */
export function listSealedColumns(table: string): readonly string[] {
  return sealedTables.some((sealed) => sealed === table) ? specs[table as SealedTable].columns : [];
}

/** A sealed value as stored. */
export interface SealedValue extends SealedRowKey {
  column: string;
  sealed: string;
  place: string;
}

const rowCodec = computedCodec('sealed values', { account_id: text, id: text, one: nullable(text), two: nullable(text) });

export interface ListSealedArgs {
  table: SealedTable;
  /** Exclusive; null starts at the first. */
  after: SealedRowKey | null;
  limit: number;
}

/** A page of the sealed values of a table. */
export interface SealedPage {
  values: SealedValue[];
  /** Where the next page begins; null after the last one. */
  end: SealedRowKey | null;
}

function selectPage({ table, after, limit }: ListSealedArgs): Statement {
  const { columns, id, only } = specs[table];
  const [one = '', two] = columns;
  const values = `${one} AS one, ${two ?? 'NULL'} AS two`;
  if (id !== undefined) return sql(`SELECT '' AS account_id, ${id} AS id, ${values} FROM ${table} WHERE ${only ?? '1 = 1'}`);
  return sql(
    `SELECT account_id, id, ${values} FROM ${table} WHERE (account_id, id) > (?, ?) ORDER BY account_id, id LIMIT ?`,
    after?.accountId ?? '',
    after?.id ?? '',
    limit,
  );
}

/** The sealed values of a table, page by page. */
export const listSealed: StoreOperation<ListSealedArgs, SealedPage> = {
  name: 'sealedValues.list',
  access: 'read',
  *run(args) {
    const { columns, place, id: instanceId } = specs[args.table];
    const { sql: statement, params } = selectPage(args);
    const rows = (yield* selectAll(statement, ...params)).map(rowCodec.read);
    const values = rows.flatMap(({ accountId, id, one, two }) =>
      [one, two].flatMap((sealed, at): SealedValue[] => {
        const column = columns[at];
        if (sealed === null || column === undefined) return [];
        return [{ accountId, id, column, sealed, place: place({ accountId, id }, column) }];
      }),
    );
    const last = rows.at(-1);
    const isPaged = instanceId === undefined;
    return { values, end: isPaged && last && rows.length === args.limit ? { accountId: last.accountId, id: last.id } : null };
  },
};

function update(table: SealedTable, { accountId, id, column, before, after }: ResealedValue): Statement {
  const { id: instanceId } = specs[table];
  const [condition, key] =
    instanceId === undefined ? ['account_id = ? AND id = ?', [accountId, id]] : [`${instanceId} = ?`, [id]];
  // What was sealed meanwhile is left alone: it was sealed with the new secret.
  return sql(
    `UPDATE ${table} SET ${column} = ? WHERE ${condition} AND ${column} = ? RETURNING 1 AS changed`,
    after,
    ...key,
    before,
  );
}

export interface ResealedValue extends SealedRowKey {
  column: string;
  before: string;
  after: string;
}

export interface ReplaceSealedArgs {
  table: SealedTable;
  values: readonly ResealedValue[];
  /** Set with the last values. */
  isLast: boolean;
  actor: string;
  now: number;
}

/** Stores values that were resealed, in place of those that have not changed meanwhile; returns how many. */
export const replaceSealed: StoreOperation<ReplaceSealedArgs, number> = {
  name: 'sealedValues.replace',
  access: 'exclusive',
  *run({ table, values, isLast, actor, now }): Script<number> {
    let changed = 0;
    for (const value of values) {
      const { sql: statement, params } = update(table, value);
      changed += (yield* selectAll(statement, ...params)).length;
    }
    if (isLast) {
      yield [noteSecurityEvent({ accountId: instanceRecord, atMs: now, kind: 'secrets_resealed', actor, detail: {} })];
    }
    return changed;
  },
  announce: () => [{ topic: 'credentials' }, { topic: 'skills' }, { topic: 'model_keys' }],
};
