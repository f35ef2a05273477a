import type { MemoryFacts } from './agent-ports.ts';

/** Files named in the prompt. */
const mostNamed = 40;

const owners = {
  account: '/memory/account is shared by all tasks of the user',
  project: '/memory/project by the tasks of this project',
  agent: '/memory/agent is yours alone',
} as const;

function describeFiles(files: MemoryFacts['files']): string {
  // The name of a file may be an instruction of a stranger, too.
  const named = files.filter(({ isUntrusted }) => !isUntrusted).slice(0, mostNamed);
  const others = files.length - named.length;
  const list = named.map(({ path, bytes }) => `\n- ${path} (${bytes} bytes)`).join('');
  const rest = others === 0 ? '' : `\n- ${others} more; list_files shows them`;
  return files.length === 0 ? 'It is empty so far.' : `It holds:${list}${rest}`;
}

/** What the agent is told about its memory; null without one. */
export function describeMemory(facts: MemoryFacts | null): string | null {
  if (!facts) return null;
  const places = facts.scopes.map((scope) => owners[scope]).join(', ');
  return `Files below /memory outlive this task: ${places}. Read first what bears on the task. Note there, in short text files by
subject, what later tasks need (preferences, decisions, names, what went wrong), but no secrets. ${describeFiles(facts.files)}`;
}
