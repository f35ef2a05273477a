import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { systemClock } from '@errand/base/clock.ts';
import { openPostgres } from '../../../src/store/postgres-open.ts';
import { createFolder, removeFolder } from '../process/leftovers.ts';
import { copyDatabase, dropDatabase, type SharedServer } from './postgres-databases.ts';
import { PostgresServer } from './postgres-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Path of a socket that returns the shared PostgreSQL server as JSON (`SharedServer`), started on the first connection. */
    postgresBroker: string;
  }
}

/** The shared server, ready for tests. */
interface ReadyServer extends SharedServer {
  stop(): Promise<void>;
}

async function startServer(): Promise<{ url: string; stop(): Promise<unknown> }> {
  const given = process.env.ERRAND_TEST_DATABASE_URL;
  if (given) return { url: given, stop: () => Promise.resolve() };
  const server = await PostgresServer.start({ isDurable: false });
  return { url: server.url, stop: () => server.stop() };
}

async function prepareServer(): Promise<ReadyServer> {
  const server = await startServer();
  const template = await copyDatabase(server.url, 'template1');
  await (await openPostgres(template, systemClock)).close();
  const stop = async () => {
    await dropDatabase(template);
    await server.stop();
  };
  return { url: server.url, template: new URL(template).pathname.slice(1), stop };
}

/** Runs once per test run, before the first test file; the returned function runs after the last one. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = createFolder('desk');
  let ready: Promise<ReadyServer> | null = null;
  const broker = createServer((socket) => {
    ready ??= prepareServer();
    ready.then(
      ({ url, template }) => socket.end(JSON.stringify({ url, template })),
      (error: unknown) => socket.end(String(error)),
    );
  });
  const address = path.join(folder, 'desk.sock');
  await once(broker.listen(address), 'listening');
  project.provide('postgresBroker', address);
  return async () => {
    broker.close();
    const started = await ready?.catch(() => null);
    await started?.stop();
    removeFolder(folder);
  };
}
