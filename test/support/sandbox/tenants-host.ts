import { systemClock } from '@errand/base/clock.ts';
import { createLog } from '@errand/base/log.ts';
import { openSandbox } from '@errand/sandbox/open-sandbox';
import type { TenantCommand } from './tenants-under-test.ts';

/** Acts as a service with several tenants: runs each group of commands at the same time, and prints the results as a line of JSON. */
const groups = JSON.parse(process.argv[2] ?? '[]') as TenantCommand[][];
const awake = setInterval(() => undefined, 2 ** 30);
const { sandbox, ...rest } = await openSandbox({ clock: systemClock, log: createLog('info', process.stderr) });
if (!sandbox) throw new Error(JSON.stringify(rest));
const { signal } = new AbortController();
for (const group of groups) {
  const runs = group.map(async ({ root, command, limits = {} }) => {
    const from = performance.now();
    try {
      const result = await sandbox.run({ workspace: { root }, command, limits, signal, mergesOutput: true });
      return { end: result.end, output: result.stdout.toString(), tookMs: performance.now() - from };
    } catch (error) {
      return { end: 'failed', output: String(error), tookMs: performance.now() - from };
    }
  });
  console.log(JSON.stringify(await Promise.all(runs)));
}
await sandbox.close();
clearInterval(awake);
