import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const inCheckout = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// The limits are for a slow, busy machine: a test proves a guarantee by waiting for signals, never by being fast.
const limits = { testTimeout: 60_000, hookTimeout: 120_000 };

export default defineConfig({
  test: {
    pool: 'threads',
    globalSetup: 'test/support/db/shared-postgres.ts',
    teardownTimeout: 60_000,
    slowTestThreshold: 5_000,
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
          setupFiles: 'test/support/service/end-services.ts',
          // Each file runs a whole service or a database server of its own.
          maxWorkers: 2,
          isolate: false,
          sequence: { groupOrder: 1 },
          ...limits,
        },
      },
    ],
  },
});
