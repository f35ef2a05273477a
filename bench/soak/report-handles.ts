import { renameSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { isMainThread } from 'node:worker_threads';

// Loaded into the service before its own code: at SIGUSR2 it writes what the event loop holds and how much of the heap is reachable.

const file = process.env['SOAK_REPORT'];

if (isMainThread && file) {
  process.on('SIGUSR2', () => {
    globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    const handles = process.getActiveResourcesInfo();
    // Renamed when it is whole, because the reader polls for it.
    writeFileSync(`${file}.part`, JSON.stringify({ heapUsed, external, handles }));
    renameSync(`${file}.part`, file);
  });
}
