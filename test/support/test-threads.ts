import { Worker } from 'node:worker_threads';
import { type PoolOptions, ThreadsPoolWorker } from 'vitest/node';

const name = 'test-threads';

/**
 * A thread that leaves files alone when it ends. By default Node remembers each descriptor that a thread opens, and closes at its end what
 * `fs.close` did not. The channels of a persistent sandbox are opened by `fs` and closed by their socket, so by then the number is that of another
 * thread's file; if it is the event loop's, the whole run aborts. A service opens them on its main thread, which remembers none.
 */
class TestThread extends ThreadsPoolWorker {
  override readonly name = name;

  override async start(): Promise<void> {
    // The class has no option for it, and creates its thread only if there is none.
    const options = { env: this.env, execArgv: this.execArgv, stdout: true, stderr: true, trackUnmanagedFds: false };
    if (!Reflect.get(this, '_thread')) Reflect.set(this, '_thread', new Worker(this.entrypoint, options));
    await super.start();
  }
}

/** Where tests run, for vitest.config.ts. */
export const testThreads = { name, createPoolWorker: (options: PoolOptions) => new TestThread(options) };
