import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { Child } from '../support/process/child.ts';
import { compiledCode, program } from '../support/process/compiled-code.ts';
import { createFolder, removeFolder } from '../support/process/leftovers.ts';
import { ServiceClient } from '../support/service/service-client.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const apiKey = `sk-${'T'.repeat(43)}`;
const folder = createFolder('traced');
afterAll(() => removeFolder(folder));

/** A system call as strace saw it begin or end; one that another thread interrupts is on two lines. */
interface TracedCall {
  name: string;
  text: string;
  /** Lines of the trace. */
  begunAt: number;
  endedAt: number;
}

function readTrace(file: string): TracedCall[] {
  const open = new Map<string, TracedCall>();
  const calls: TracedCall[] = [];
  for (const [at, line] of readFileSync(file, 'latin1').split('\n').entries()) {
    const [, thread = '', rest = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const resumed = /^<\.\.\. (\w+) resumed>/.exec(rest);
    if (resumed) {
      const call = open.get(thread);
      if (call) Object.assign(call, { text: call.text + rest, endedAt: at });
      open.delete(thread);
      continue;
    }
    const name = /^(\w+)\(/.exec(rest)?.[1];
    if (name === undefined) continue;
    const call = { name, text: rest, begunAt: at, endedAt: at };
    calls.push(call);
    if (rest.endsWith('<unfinished ...>')) open.set(thread, Object.assign(call, { endedAt: Number.POSITIVE_INFINITY }));
  }
  return calls;
}

/** The service under strace, which writes down every write and every sync of all its threads. */
async function startTraced(file: string): Promise<{ child: Child; client: ServiceClient }> {
  const watched = 'trace=fsync,fdatasync,write,writev,pwrite64,sendto,sendmsg';
  // Only the watched calls stop the service.
  const strace = ['-f', '--seccomp-bpf', '-y', '-s', '6000', '-o', file, '-e', watched, '-e', 'signal=none'];
  const env = {
    ...compiledCode,
    PATH: process.env.PATH ?? '',
    HOME: folder,
    ERRAND_DATA_DIR: join(folder, 'data'),
    ERRAND_PORT: '0',
    ERRAND_BOOTSTRAP_KEY: apiKey,
    ERRAND_MODEL: 'offline/offline-1',
  };
  const child = await Child.start('strace', [...strace, process.execPath, program, 'serve'], { env, cwd: checkout });
  const { text } = await child.waitForLine((line) => line.text.includes('"msg":"ready"'));
  const { url } = JSON.parse(text) as { url: string };
  return { child, client: new ServiceClient({ url, apiKey }) };
}

/** Where in the trace an acknowledged text was written to the log of the database, made durable, and answered. */
function findOrder(calls: readonly TracedCall[], token: string, taskId: string) {
  const isLog = ({ text }: TracedCall) => text.includes('errand.db-wal>');
  const written = calls.find((call) => call.name === 'pwrite64' && isLog(call) && call.text.includes(token));
  const synced = calls.find(
    (call) => /^f(data)?sync$/.test(call.name) && isLog(call) && call.begunAt > (written?.endedAt ?? Number.POSITIVE_INFINITY),
  );
  const answered = calls.find(({ text }) => text.includes('HTTP/1.1 200') && text.includes(taskId));
  return {
    writtenAt: written?.endedAt,
    syncedAt: synced?.endedAt,
    isSynced: synced?.text.endsWith('= 0'),
    answeredAt: answered?.begunAt,
  };
}

describe('a power cut', () => {
  it('loses nothing that was acknowledged: a task is written and synced before a byte of the response is sent', async () => {
    const file = join(folder, 'trace');
    const { child, client } = await startTraced(file);
    const tokens = Array.from({ length: 12 }, (_, index) => `durable-${index}-token`);
    const created: [token: string, taskId: string][] = [];
    // One by one, and several at once that share a commit.
    for (const token of tokens.slice(0, 4)) created.push([token, await client.createTask(`say ${token}`)]);
    await Promise.all(tokens.slice(4).map(async (token) => created.push([token, await client.createTask(`say ${token}`)])));
    // The whole group: strace alone would let go of the service.
    process.kill(-child.pid, 'SIGKILL');
    await child.ended;
    const calls = readTrace(file);
    for (const [token, taskId] of created) {
      const {
        writtenAt = Number.NaN,
        syncedAt = Number.NaN,
        isSynced,
        answeredAt = Number.NaN,
      } = findOrder(calls, token, taskId);
      expect(isSynced, token).toBe(true);
      expect(syncedAt, token).toBeGreaterThan(writtenAt);
      expect(answeredAt, token).toBeGreaterThan(syncedAt);
    }
    expect(created).toHaveLength(tokens.length);
  });
});
