import type { Service } from '@errand/base/service-lifecycle.ts';
import { receiveFile } from '../api/triggers/receive-file.ts';
import type { HttpService } from '../http/service/http-service.ts';
import { FolderWorker } from '../work/triggers/folder-worker.ts';
import type { Stores } from './open-stores.ts';
import type { Runtime } from './runtime.ts';

/** Builds the worker that looks at watched folders; none if the operator has configured none. */
export function buildFolderWorker(
  { config, clock, log }: Runtime,
  { database }: Stores,
  { triggers }: Pick<HttpService, 'triggers'>,
): Service[] {
  const { watchRoots: roots, drainMs } = config;
  if (Object.keys(roots).length === 0) return [];
  const worker = new FolderWorker({
    ...{ database, clock, log, roots, drainMs },
    async fire(trigger, file, signal) {
      await triggers.count(trigger);
      await receiveFile(trigger, file, triggers.open(trigger, signal));
    },
  });
  return [worker];
}
