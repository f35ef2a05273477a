import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { GuardOrder } from './leftovers.ts';

const leftovers = { process: new Set<string>(), folder: new Set<string>() };

for await (const line of createInterface({ input: process.stdin })) {
  const { kind, value, isGone } = JSON.parse(line) as GuardOrder;
  if (isGone) leftovers[kind].delete(value);
  else leftovers[kind].add(value);
}

for (const pid of leftovers.process) {
  try {
    process.kill(-Number(pid), 'SIGKILL');
  } catch {
    // It has already ended.
  }
}
for (const folder of leftovers.folder) rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
