import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '@errand/base/clock.ts';
import { returnMemoryWhenIdle } from '@errand/base/threads/idle-garbage-collection.ts';
import { operationTable } from './operations.ts';
import { SqliteEngine } from './db/sqlite-engine.ts';
import type { WalReport, WireBatch, WireReply } from './db/sqlite-messages.ts';
import { WalShipper } from './wal/wal-shipper.ts';

/** How often the log is copied: a lost machine loses what was committed since. */
const shipEveryMs = 500;

/** The database thread: receives batches and returns outcomes, in order. It ends when its port is closed. */
const port = parentPort;
if (!port) throw new Error('sqlite-thread runs as a worker thread');
returnMemoryWhenIdle(systemClock);
const { file, walTarget } = workerData as { file: string; walTarget: string | null };
const engine = new SqliteEngine(file, operationTable);

/** Copies the log between two batches, again and again. */
function startShipping(target: string): WalShipper {
  const shipper = new WalShipper(
    {
      file,
      checkpoint: () => engine.execute('PRAGMA wal_checkpoint(PASSIVE)'),
      mergeAfter: (pages) => engine.execute(`PRAGMA wal_autocheckpoint = ${pages}`),
    },
    { target, clock: systemClock, report: (walProblem) => port?.postMessage({ walProblem } satisfies WalReport) },
  );
  const ship = () => {
    shipper.ship();
    systemClock.setTimer(ship, shipEveryMs);
  };
  ship();
  return shipper;
}
const shipper = walTarget === null ? null : startShipping(walTarget);

port.on('message', (message: WireBatch | 'close') => {
  if (message === 'close') {
    shipper?.close();
    engine.close();
    port.close();
    return;
  }
  const reply: WireReply = { id: message.id, ...engine.runBatch(message.calls, message.now) };
  port.postMessage(reply);
});
