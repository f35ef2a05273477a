/** What a task was asked first, and what it is called. */
export interface CurlFacts {
  origin: string;
  taskId: string;
  profile: string | undefined;
  firstMessage: string;
  isInteractive: boolean;
}

/** A text as one argument of a shell: nothing in it means anything there. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

const key = '-H "x-service-api-key: $ERRAND_API_KEY"';

function post(origin: string, operation: string, body: object): string {
  const lines = [
    `curl -X POST ${quoteForShell(`${origin}/v2/${operation}`)}`,
    key,
    "-H 'content-type: application/json'",
    `-d ${quoteForShell(JSON.stringify(body, null, 2))}`,
  ];
  return lines.join(' \\\n  ');
}

/** The commands that make such a task, say something to it and follow it. */
export function curlCommands({ origin, taskId, profile, firstMessage, isInteractive }: CurlFacts) {
  const create = {
    message: { content: firstMessage },
    ...(profile !== undefined && { agent_profile: profile }),
    ...(isInteractive && { interactive_mode: true }),
  };
  const query = new URLSearchParams({ task_id: taskId, verbose: 'true', deltas: 'true' });
  return {
    create: post(origin, 'task.create', create),
    send: post(origin, 'task.sendMessage', { task_id: taskId, message: { content: '…' } }),
    follow: `curl -N ${quoteForShell(`${origin}/v2/task.stream?${query.toString()}`)} \\\n  ${key}`,
  };
}
