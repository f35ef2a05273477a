import { systemClock } from '@errand/base/clock.ts';
import { openSandbox } from '@errand/sandbox/open-sandbox';

/** Acts as a service: opens the sandbox, runs one command in one folder, and prints each outcome as a line. */
const [root = '', command = ''] = process.argv.slice(2);
const awake = setInterval(() => undefined, 2 ** 30);
const report = (event: string, value: unknown) => console.log(JSON.stringify({ event, value }));

const { sandbox, ...rest } = await openSandbox({ clock: systemClock });
if (sandbox) {
  report('open', sandbox.languages);
  const { signal } = new AbortController();
  const onOutput = (chunk: Buffer) => report('output', chunk.toString());
  const { end, exitCode } = await sandbox.run({ workspace: { root }, command, signal, mergesOutput: true, onOutput });
  report('end', { end, exitCode });
} else {
  report('missing', rest);
}
clearInterval(awake);
