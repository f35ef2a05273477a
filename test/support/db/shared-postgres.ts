import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { createFolder, removeFolder } from '../process/leftovers.ts';
import { PostgresServer } from './postgres-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Path of a socket; who connects reads the URL of the shared PostgreSQL server, which the first one starts. */
    postgresBroker: string;
  }
}

/** Runs once per test run, before the first test file; what it answers runs after the last one. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = createFolder('desk');
  let server: Promise<PostgresServer> | null = null;
  const broker = createServer((socket) => {
    server ??= PostgresServer.start({ isDurable: false });
    server.then(
      ({ url }) => socket.end(url),
      (error: unknown) => socket.end(String(error)),
    );
  });
  const address = path.join(folder, 'desk.sock');
  await once(broker.listen(address), 'listening');
  project.provide('postgresBroker', address);
  return async () => {
    broker.close();
    const started = await server?.catch(() => null);
    await started?.stop();
    removeFolder(folder);
  };
}
