import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import { Child } from '../support/process/child.ts';
import { compiledCode } from '../support/process/compiled-code.ts';
import { createFolder, removeFolder } from '../support/process/leftovers.ts';
import { type Json, ServiceClient } from '../support/service/service-client.ts';
import { ServiceProcess } from '../support/service/supervisor.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const accountId = newId(1);

/** One put of a blob by a separate process, under strace with these options. */
class TracedPut {
  readonly top = createFolder('faults');
  readonly blobId = newId(1);
  readonly draft = join(this.top, 'shelf', 'incoming', `${accountId}-${this.blobId}`);
  readonly shard = join(this.top, 'shelf', accountId, this.blobId.slice(-2));
  readonly place = join(this.shard, this.blobId);
  readonly trace = join(this.top, 'trace');

  async run(options: readonly string[]): Promise<string> {
    const paths = [this.draft, this.place, this.shard].flatMap((path) => ['-P', path]);
    const script = ['test/support/files/blob-store-process.ts', join(this.top, 'shelf'), accountId, this.blobId];
    const args = ['-f', '--seccomp-bpf', '-y', '-o', this.trace, ...paths, ...options, process.execPath, ...script];
    // One thread for files, so that the n-th call is the same in every run.
    const env = { ...compiledCode, PATH: process.env.PATH ?? '', UV_THREADPOOL_SIZE: '1' };
    const child = await Child.start('strace', args, { env, cwd: checkout });
    const { text } = await child.waitForLine((line) => /^(stored|failed) /.test(line.text));
    await child.ended;
    return text;
  }

  files(): string[] {
    const entries = readdirSync(join(this.top, 'shelf'), { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  }

  /** The system calls on the blob's own paths, in order. */
  calls(): string[] {
    return readFileSync(this.trace, 'utf8')
      .split('\n')
      .flatMap((line) => {
        const [, name = '', rest = ''] = /^\d+ +(\w+)\((.*)$/.exec(line) ?? [];
        if (name === '') return [];
        const target = rest.includes(this.draft) ? 'draft' : rest.includes(this.place) ? 'place' : 'folder';
        return [`${name} ${target}`];
      });
  }

  [Symbol.dispose](): void {
    removeFolder(this.top);
  }
}

describe('a blob on disk', () => {
  it('is written to a temporary file, synced, renamed, and its folder synced, before it is acknowledged', async () => {
    using put = new TracedPut();
    expect(await put.run(['-e', 'trace=write,fsync,rename'])).toBe('stored 200000');
    expect(put.calls()).toEqual([...Array<string>(4).fill('write draft'), 'fsync draft', 'rename draft', 'fsync folder']);
    expect(put.files()).toEqual([put.blobId]);
  });

  const everyCall = ['openat:when=1', 'write:when=1', 'write:when=4', 'fsync:when=1', 'rename:when=1', 'fsync:when=2'];
  it.each(everyCall.flatMap((call) => ['EIO', 'ENOSPC'].map((error) => [call, error] as const)))(
    'is nowhere when %s fails with %s, and the caller can try again',
    async (call, error) => {
      using put = new TracedPut();
      const [name = '', when = ''] = call.split(':');
      expect(await put.run(['-e', `trace=${name}`, '-e', `inject=${name}:error=${error}:${when}`])).toBe('failed unavailable');
      expect(put.files()).toEqual([]);
    },
  );
});

/** Whether this user may mount; null where not. */
function mountSmall(folder: string): (() => void) | null {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder], { stdio: 'ignore' });
    return () => execFileSync('umount', ['-l', folder], { stdio: 'ignore' });
  } catch {
    return null;
  }
}

const check = createFolder('mount');
const canMount = mountSmall(check);
canMount?.();
removeFolder(check);

describe.skipIf(canMount === null)('a full disk for files', () => {
  const dataDir = createFolder('small');
  let unmount: (() => void) | null = null;
  afterAll(() => {
    unmount?.();
    removeFolder(dataDir);
  });

  it('returns 503 for uploads and attachments, affects nothing else, and ends as soon as there is space', async () => {
    await using service = await ServiceProcess.start({ dataDir });
    mkdirSync(join(dataDir, 'blobs'));
    unmount = mountSmall(join(dataDir, 'blobs'));
    const client = new ServiceClient(service);
    const announce = async () => {
      const { file, upload_url: url } = (await client.ask('file.upload', { filename: 'a.bin' })) as {
        file: Json;
        upload_url: string;
      };
      return { fileId: String(file.id), put: () => fetch(url, { method: 'PUT', body: Buffer.alloc(1_500_000, 'x') }) };
    };
    const [first, second] = [await announce(), await announce()];
    expect((await first.put()).status).toBe(200);
    const refused = await second.put();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10']);
    expect(await client.ask('file.detail', { file_id: second.fileId })).toMatchObject({
      file: { status: 'pending', bytes: null },
    });
    const data = `data:;base64,${Buffer.alloc(1_000_000).toString('base64')}`;
    const content = [{ type: 'file', filename: 'b.bin', file_data: data }];
    expect((await client.call('task.create', { message: { content } })).status).toBe(503);
    expect((await client.call('task.create', { message: { content: 'say hello' } })).status).toBe(200);
    const used = await client.ask('task.create', { message: { content: [{ type: 'file', file_id: first.fileId }] } });
    const events = await client.listEvents(String(used.task_id));
    const message = events.find(({ type }) => type === 'user_message')?.user_message as { attachments: { url: string }[] };
    const [attachment] = message.attachments;
    expect((await (await fetch(attachment?.url ?? '')).arrayBuffer()).byteLength).toBe(1_500_000);

    await client.ask('task.delete', { task_id: used.task_id });
    await client.ask('file.delete', { file_id: first.fileId });
    await expect.poll(async () => (await second.put()).status, { interval: 250 }).toBe(200);
    expect(await client.ask('file.detail', { file_id: second.fileId })).toMatchObject({
      file: { status: 'uploaded', bytes: 1_500_000 },
    });
  });
});
