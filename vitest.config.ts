import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { bundledThreads } from './test/support/process/bundled-threads.ts';
import { compiledCode } from './test/support/process/compiled-code.ts';
import { LongFirst } from './test/support/long-first.ts';
import { testThreads } from './test/support/test-threads.ts';

const inCheckout = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// For the threads that tests start: each loads a part of the service by itself.
Object.assign(process.env, compiledCode);

// A test proves a guarantee by waiting for signals, never by being fast. The limits only end what hangs, on the slowest machine.
const limits = { testTimeout: 900_000, hookTimeout: 900_000, expect: { poll: { timeout: 240_000 } } };

export default defineConfig({
  plugins: [bundledThreads],
  test: {
    pool: testThreads,
    globalSetup: ['test/support/service/bundle.ts', 'test/support/db/shared-postgres.ts'],
    teardownTimeout: 60_000,
    slowTestThreshold: 5_000,
    // Three more than can run at once, because many tests wait for a signal of another process. All files are one queue.
    maxWorkers: availableParallelism() + 3,
    sequence: { sequencer: LongFirst },
    projects: [
      {
        extends: true,
        resolve: {
          // As web/vite.config.ts has it, for parts of the application.
          alias: [
            { find: /^@errand\/client$/, replacement: inCheckout('packages/client/src/index.ts') },
            { find: /^@errand\/client\//, replacement: inCheckout('packages/client/src/') },
          ],
        },
        test: {
          name: 'unit',
          include: [
            'src/**/*.test.ts',
            'packages/*/src/**/*.test.ts',
            'web/src/**/*.test.{ts,tsx}',
            'web/build/**/*.test.ts',
            'scripts/**/*.test.{ts,mjs}',
          ],
          // Files share module instances: a module that keeps state between callers would show here first.
          isolate: false,
          ...limits,
        },
      },
      {
        extends: true,
        test: {
          name: 'blackbox',
          include: ['test/**/*.test.ts'],
          globalSetup: 'test/support/service/compiled-service.ts',
          setupFiles: 'test/support/service/end-services.ts',
          isolate: false,
          ...limits,
        },
      },
    ],
  },
});
