import { type AgentUnderTest, noFiles } from './agent-under-test.ts';

/** Gives the agent a workspace whose files a test can read, by their paths. */
export function recordFiles(agent: AgentUnderTest): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  agent.ports.workspaceOf = () => ({
    ...noFiles,
    write: (path, content) => {
      files.set(path, String(content));
      return Promise.resolve();
    },
  });
  return files;
}
