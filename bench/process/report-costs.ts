import { renameSync, writeFileSync } from 'node:fs';
import { type HeapProfiler, Session } from 'node:inspector';
import { Socket } from 'node:net';
import process from 'node:process';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads';
import type { Costs } from './service-costs.ts';

// Loaded into every thread of the service before its own code: counts statements, and at SIGUSR2 the main thread writes what all threads
// have counted and allocated so far.

const file = process.env['BENCH_COSTS'];
const databasePort = Number(URL.parse(process.env['ERRAND_DATABASE_URL'] ?? '')?.port || 5432);
/** Messages of PostgreSQL's protocol that run a statement: Execute and Query. */
const running: readonly (number | undefined)[] = [0x45, 0x51];
/** How long the other threads may take to answer, also on a busy machine. */
const patienceMs = 1000;
/** One sample in so many bytes: a few thousand in a measurement, which cost next to nothing. */
const sampling = {
  samplingInterval: 131_072,
  includeObjectsCollectedByMajorGC: true,
  includeObjectsCollectedByMinorGC: true,
};

let statements = 0;
let allocatedBytes = 0;
const session = new Session();

function sizeOf({ selfSize, children }: HeapProfiler.SamplingHeapProfileNode): number {
  return children.reduce((sum, child) => sum + sizeOf(child), selfSize);
}

/** Adds what was allocated since the last time. V8 has no count of it, so it is estimated from samples. */
function countAllocated(): void {
  session.post('HeapProfiler.stopSampling', (_error, { profile }) => (allocatedBytes += sizeOf(profile.head)));
  session.post('HeapProfiler.startSampling', sampling);
}

/** Calls `count` before each call of a method. */
function countCalls(prototype: object, name: string, count: (self: unknown, first: unknown) => boolean): void {
  const method = Reflect.get(prototype, name) as (...args: unknown[]) => unknown;
  Reflect.set(prototype, name, function counted(this: unknown, ...args: unknown[]) {
    if (count(this, args[0])) statements += 1;
    return method.apply(this, args);
  });
}

function readOwn(): Costs {
  countAllocated();
  return { allocatedBytes, statements };
}

/** Writes the sum of all threads. Renamed when it is whole, because the reader polls for it. */
function write(path: string, others: ReadonlyMap<number, Costs>): void {
  const all = [readOwn(), ...others.values()];
  const sum = (key: keyof Costs) => all.reduce((total, costs) => total + costs[key], 0);
  writeFileSync(`${path}.part`, JSON.stringify({ allocatedBytes: sum('allocatedBytes'), statements: sum('statements') }));
  renameSync(`${path}.part`, path);
}

if (file) {
  session.connect();
  session.post('HeapProfiler.startSampling', sampling);
  for (const name of ['all', 'get', 'run', 'iterate']) countCalls(StatementSync.prototype, name, () => true);
  countCalls(DatabaseSync.prototype, 'exec', () => true);
  const isStatement = (chunk: unknown) => chunk instanceof Uint8Array && running.includes(chunk[0]);
  countCalls(Socket.prototype, 'write', (socket, chunk) => (socket as Socket).remotePort === databasePort && isStatement(chunk));
  const channel = new BroadcastChannel('costs');
  if (isMainThread) {
    const others = new Map<number, Costs>();
    channel.addEventListener('message', (message) => {
      const { thread, costs } = (message as unknown as { data: { thread: number; costs: Costs } }).data;
      others.set(thread, costs);
    });
    process.on('SIGUSR2', () => {
      channel.postMessage('report');
      setTimeout(() => write(file, others), patienceMs);
    });
  } else {
    channel.addEventListener('message', (message) => {
      if ((message as unknown as { data: unknown }).data === 'report')
        channel.postMessage({ thread: threadId, costs: readOwn() });
    });
  }
  channel.unref();
}
