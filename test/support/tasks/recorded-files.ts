import { type AgentUnderTest, noFiles } from './agent-under-test.ts';

/** Gives the agent a workspace whose files a test can read, by their paths. */
export function recordFiles(agent: AgentUnderTest): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  agent.ports.workspaceOf = () => ({
    ...noFiles,
    readStart: (path, bytes) => {
      const content = files.get(path);
      return content === undefined
        ? Promise.reject(new Error('no such file'))
        : Promise.resolve(Buffer.from(content).subarray(0, bytes));
    },
    list: (path) => {
      const isInside = (name: string) => path === '' || name.startsWith(`${path}/`);
      return Promise.resolve([...files.keys()].filter(isInside).map((name) => ({ path: name, kind: 'file' as const, bytes: 1 })));
    },
    write: (path, content) => {
      files.set(path, String(content));
      return Promise.resolve();
    },
  });
  return files;
}
