import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolder, removeFolder } from '../../../../test/support/process/leftovers.ts';
import { runInFolder, testSandbox } from '../../../../test/support/sandbox/sandbox-under-test.ts';
import { eventually } from '../../../../test/support/service/service-client.ts';
import { newUuid } from '@errand/base/ids.ts';
import { PersistentSandbox } from '../persistent/persistent-sandbox.ts';
import { commandNice } from '../sandbox.ts';

let base: string;
/** Names the processes of one test, in their command lines. */
let mark: string;

beforeEach(() => {
  base = createFolder('priority');
  mark = newUuid();
});

afterEach(() => removeFolder(base));

/** Two processes that work until they are ended. */
const work = () => ['bash', '--norc', '-c', ': "$0"; (while :; do :; done) & while :; do :; done', mark];

function readText(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

/** Those of `work`, without bubblewrap and the first process, whose command lines contain its own. */
function listWorking(): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => readText(`/proc/${pid}/cmdline`).startsWith('bash\0--norc\0-c\0: "$0";')).map(Number);
}

async function waitForPriorities(nice: number): Promise<void> {
  await eventually(`two processes of priority ${nice}`, () => {
    const working = listWorking().filter((pid) => readText(`/proc/${pid}/cmdline`).includes(mark));
    return Promise.resolve(working.length === 2 && working.every((pid) => getPriority(pid) === nice) ? true : null);
  });
}

describe.skipIf(!testSandbox)('a command that works without a pause', () => {
  it('steps back behind others, whereas the next one of its sandbox starts like any other', async () => {
    if (!testSandbox) return;
    const sandbox = await PersistentSandbox.open(
      testSandbox,
      { workspace: { root: join(base, 'task') } },
      AbortSignal.timeout(60_000),
    );
    try {
      const working = await sandbox.start({ command: work(), onOutput: () => undefined });
      await waitForPriorities(commandNice.later);
      let output = '';
      const next = await sandbox.start({ command: ['nice'], onOutput: (chunk) => (output += chunk.toString()) });
      await next.ended;
      expect(Number(output)).toBe(commandNice.first);
      working.signal('KILL');
      await working.ended;
    } finally {
      await sandbox.close();
    }
  });

  it('steps back without a persistent sandbox too, with its session', async () => {
    const over = new AbortController();
    const running = runInFolder(join(base, 'task'), '', { command: work(), signal: over.signal });
    await waitForPriorities(commandNice.later);
    const [one] = listWorking().filter((pid) => readText(`/proc/${pid}/cmdline`).includes(mark));
    const session = `/proc/${one}/autogroup`;
    if (existsSync(session))
      await eventually('a lower session', () => Promise.resolve(readText(session).includes('nice 5') || null));
    over.abort(new Error('seen'));
    await expect(running).rejects.toThrow('seen');
  });
});
