import { quoteForShell } from '../../api/shell-quote.ts';

/** The first message and settings of a task, from `task.show`. */
export interface CurlFacts {
  origin: string;
  taskId: string;
  /** The body of task.create; null for agent conversations and for readers without access. */
  request: Readonly<Record<string, unknown>> | null;
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

/** The names of a message's files. */
function namesOfFiles(request: CurlFacts['request']): string[] {
  const { content } = (request?.message ?? {}) as { content?: unknown };
  const parts = Array.isArray(content) ? (content as { filename?: unknown }[]) : [];
  return parts.flatMap(({ filename }) => (typeof filename === 'string' ? filename : []));
}

/** Creates a file, then uploads its bytes to the URL in the response. */
function upload(origin: string, filename: string): string {
  const put = `curl -X PUT --upload-file ${quoteForShell(filename)} "$UPLOAD_URL"`;
  return `${post(origin, 'file.upload', { filename })}\n\n${put}`;
}

/** The commands that create such a task, send a message to it and follow it; `upload` for each file of its message. */
export function curlCommands({ origin, taskId, request }: CurlFacts) {
  const query = new URLSearchParams({ task_id: taskId, verbose: 'true', deltas: 'true' });
  return {
    uploads: namesOfFiles(request).map((filename) => upload(origin, filename)),
    create: request && post(origin, 'task.create', request),
    send: post(origin, 'task.sendMessage', { task_id: taskId, message: { content: '…' } }),
    follow: `curl -N ${quoteForShell(`${origin}/v2/task.stream?${query.toString()}`)} \\\n  ${key}`,
  };
}
