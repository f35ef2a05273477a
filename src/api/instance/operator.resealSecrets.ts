import { z } from 'zod';
import { Fault, invalidField } from '@errand/base/fault.ts';
import { SealBroken, type SealedBox } from '@errand/base/secrets/sealed-box.ts';
import { actorOf } from '../../rules/accounts/security-event.ts';
import {
  listSealed,
  replaceSealed,
  type ResealedValue,
  type SealedRowKey,
  type SealedTable,
  sealedTables,
  type SealedValue,
} from '../../store/instance/sealed-values.ts';
import { optional } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';

/** Rows of one request, so that each is answered within a moment and writes little at once. */
const rowsAtOnce = 200;

function readCursor(cursor: string | undefined): { table: SealedTable; after: SealedRowKey | null } {
  const [table = 'signing_keys', accountId, id] = cursor?.split(' ') ?? [];
  const known = sealedTables.find((one) => one === table);
  if (!known) throw invalidField('cursor', 'must be the next_cursor of the request before');
  return { table: known, after: accountId !== undefined && id !== undefined ? { accountId, id } : null };
}

function writeCursor(table: SealedTable, end: SealedRowKey | null): string | undefined {
  if (end) return `${table} ${end.accountId} ${end.id}`;
  return sealedTables[sealedTables.indexOf(table) + 1];
}

/** Values that neither secret opens are of no use to anybody; they are left as they are. */
function resealAll(
  box: Pick<SealedBox, 'reseal'>,
  values: readonly SealedValue[],
): { changes: ResealedValue[]; unreadable: string[] } {
  const changes: ResealedValue[] = [];
  const unreadable: string[] = [];
  for (const { accountId, id, column, sealed, place } of values) {
    try {
      const after = box.reseal(sealed, place);
      if (after !== null) changes.push({ accountId, id, column, before: sealed, after });
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      unreadable.push(`${place} (${column})`);
    }
  }
  return { changes, unreadable };
}

export const operatorResealSecrets = defineOperation('POST', 'operator.resealSecrets', {
  summary: 'Seals what is sealed with ERRAND_SECRET_PREVIOUS with ERRAND_SECRET, a part at each request.',
  details:
    'Repeat it with `cursor` until the response has no `next_cursor`. Only then is ERRAND_SECRET_PREVIOUS needed no longer.',
  access: 'operator',
  request: z.object({ cursor: optional(z.string()).meta({ description: 'next_cursor of the request before.' }) }),
  response: z.object({
    resealed: z.int().meta({ description: 'How many values this request has sealed anew.' }),
    unreadable: z.array(z.string()).meta({ description: 'Values that neither secret opens.' }),
    next_cursor: z.string().optional(),
  }),
  async handle({ cursor }, { now, principal, read, write, seal: box }) {
    if (!box) throw new Fault('failed_precondition', 'This process lacks ERRAND_SECRET.');
    const { table, after } = readCursor(cursor);
    const { values, end } = await read(listSealed, { table, after, limit: rowsAtOnce });
    const { changes, unreadable } = resealAll(box, values);
    const next_cursor = writeCursor(table, end);
    const isLast = next_cursor === undefined;
    const resealed = await write(replaceSealed, { table, values: changes, isLast, actor: actorOf(principal), now });
    return { resealed, unreadable, ...(next_cursor !== undefined && { next_cursor }) };
  },
});
