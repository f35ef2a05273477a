import type { HandlerServices } from '../../../src/api/contract/operation.ts';

/** Workspaces with one file. */
export const sampleWorkspace: HandlerServices['workspaceFiles'] = {
  list: () => Promise.resolve([{ path: 'hello.md', kind: 'file', bytes: 5 }]),
  read: (_accountId, _taskId, path) => Promise.resolve(Buffer.from(`in ${path}`)),
  unpack: () => Promise.resolve(),
  clear: () => Promise.resolve(),
};
