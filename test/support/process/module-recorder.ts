import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { threadId } from 'node:worker_threads';

// Preloaded into a service: writes down every module that it loads, as `thread address`, and at the end what node loaded for it.

const file = process.env.MODULE_RECORD ?? '';

function note(name: string): void {
  appendFileSync(file, `${threadId} ${name}\n`);
}

registerHooks({
  load(url, context, next) {
    note(url);
    return next(url, context);
  },
});
if (threadId === 0) process.once('exit', () => process.moduleLoadList.forEach(note));

declare global {
  namespace NodeJS {
    interface Process {
      /** Modules of node itself that are in memory; not documented, and only looked at here. */
      moduleLoadList: readonly string[];
    }
  }
}
