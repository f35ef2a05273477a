/** A background process or a session of code, which runs on between the calls of a task until its worker gives up the task. */
export interface RunningProcess {
  /** The id by which tools name it; unique in one run of the task. */
  id: string;
  kind: 'process' | 'python' | 'javascript';
  /** The command of a process. */
  title: string;
}

function nameProcess({ id, kind, title }: RunningProcess): string {
  if (kind === 'python') return '- the Python session, with its variables';
  if (kind === 'javascript') return '- the JavaScript session, with its variables';
  return `- process ${id}: ${title}`;
}

/** Tells the agent what has ended since its last step, as far as it is known. */
export function describeLost(processes: readonly RunningProcess[]): string {
  return [
    'The task runs in a new sandbox. What ran in the old one has ended and is gone:',
    ...processes.map(nameProcess),
    'Files of the workspace and the directory and variables of the shell are kept; /tmp is empty. Start again what you still need.',
  ].join('\n');
}
