import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '@errand/base/clock.ts';
import { returnMemoryWhenIdle } from '@errand/base/threads/idle-garbage-collection.ts';
import { operationTable } from './operations.ts';
import { SqliteEngine } from './db/sqlite-engine.ts';
import type { WireBatch, WireReply } from './db/sqlite-messages.ts';

/** The database thread: receives batches and returns outcomes, in order. It ends when its port is closed. */
const port = parentPort;
if (!port) throw new Error('sqlite-thread runs as a worker thread');
returnMemoryWhenIdle(systemClock);
const engine = new SqliteEngine((workerData as { file: string }).file, operationTable);

port.on('message', (message: WireBatch | 'close') => {
  if (message === 'close') {
    engine.close();
    port.close();
    return;
  }
  const reply: WireReply = { id: message.id, ...engine.runBatch(message.calls, message.now) };
  port.postMessage(reply);
});
