import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { threadId } from 'node:worker_threads';

// Preloaded into a service: records every module that it loads, as `thread URL`, and finally what node loaded for it.

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
      /** Loaded modules of node itself; undocumented, and only read here. */
      moduleLoadList: readonly string[];
    }
  }
}
