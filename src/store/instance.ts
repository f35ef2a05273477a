import { type Operation, selectAll, selectFirst } from './db/operation.ts';

/** The id of this instance: the proposed one if it has none yet. What lies outside of the database is kept under it. */
export const nameInstance: Operation<string, string> = {
  name: 'instance.name',
  access: 'alone',
  *run(proposedId) {
    yield* selectAll("INSERT INTO instance (name, value) VALUES ('id', ?) ON CONFLICT DO NOTHING RETURNING value", proposedId);
    const row = yield* selectFirst("SELECT value FROM instance WHERE name = 'id'");
    return String(row?.value);
  },
};
