import { systemClock } from '@errand/base/clock.ts';
import { operationTable } from '../../../src/store/operations.ts';
import { openPostgres } from '../../../src/store/postgres-open.ts';
import type { RemoteCall, RemoteReply } from './remote-store.ts';

/** A process with a store of its own on the database of the given URL, which runs the operations that its parent asks for by name. */
const [url = ''] = process.argv.slice(2);
const database = await openPostgres(url, systemClock);

async function answer({ id, name, args }: RemoteCall): Promise<RemoteReply> {
  const operation = operationTable.get(name);
  if (!operation) return { id, error: `no operation ${name}` };
  try {
    return { id, result: await database.run(operation, args) };
  } catch (error) {
    return { id, error: String(error) };
  }
}

process.on('message', (call: RemoteCall) => void answer(call).then((reply) => process.send?.(reply)));
process.on('disconnect', () => process.exit());
process.send?.({ id: 0, result: 'open' } satisfies RemoteReply);
