import { once } from 'node:events';
import { existsSync, watch } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { Child } from './child.ts';

const fixture = fileURLToPath(new URL('./abandoned-run.ts', import.meta.url));

/** Resolves once the file is not there any more. */
async function waitForRemoval(file: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const watcher = watch(path.dirname(file), () => existsSync(file) || resolve());
  if (!existsSync(file)) resolve();
  await promise;
  watcher.close();
}

it.each(['SIGKILL', 'SIGINT'] as const)('a test run ended by %s leaves no process and no folder behind', async (signal) => {
  const run = await Child.start(process.execPath, [fixture], { env: {}, cwd: path.dirname(fixture) });
  const { text } = await run.waitForLine((line) => line.text.startsWith('{'));
  const { folder, port } = JSON.parse(text) as { folder: string; port: number };
  const connection = connect(port, '127.0.0.1').on('error', () => undefined);
  const isCut = Promise.withResolvers<void>();
  connection.once('close', () => isCut.resolve());
  await once(connection, 'connect');
  expect(existsSync(folder)).toBe(true);

  run.signal(signal);
  expect(await run.ended).toEqual({ code: null, signal });
  await Promise.all([isCut.promise, waitForRemoval(folder)]);
});
