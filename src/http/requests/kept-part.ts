import { isId } from '@errand/base/ids.ts';
import { parseInboxItemId } from '../../rules/inbox/inbox-item.ts';
import { isWithoutBody, type ReplayState } from '../../rules/requests/kept-request.ts';
import { redactBody, redactQuery } from '../../rules/requests/redaction.ts';
import type { RecordedRequest } from '../../store/requests/kept-requests.ts';

/** A body that is longer is not kept. */
const longestBody = 8 * 1024;
const longestQuery = 1000;

/** A body, or why there is none: it was too long, or nothing of one was read. */
type HeldBody = Buffer | 'too_large' | 'no_body';

/** What the server knows at the end of a request. */
export interface SeenRequest extends Omit<RecordedRequest, 'query' | 'body' | 'replay'> {
  query: string;
  /** The body, if the operation allows keeping it; otherwise null. */
  body: HeldBody | null;
  /** Whether the request is for an operation that the pages can call as well. */
  isRepeatable: boolean;
  isForOneUser: boolean;
}

/** A body that is kept; no other is held in memory. */
export function holdBody(body: unknown, status: number): HeldBody {
  if (Buffer.isBuffer(body) && body.length > 0) return body.length <= longestBody ? body : 'too_large';
  // The server reads no more of a body than the operation takes.
  return status === 413 ? 'too_large' : 'no_body';
}

function replayStateOf(seen: SeenRequest, query: string, isRedacted: boolean): ReplayState {
  if (!seen.isRepeatable) return 'unsupported';
  if (seen.isForOneUser) return 'for_one_user';
  if (isRedacted) return 'redacted';
  if (query.length > longestQuery) return 'too_large';
  return isWithoutBody(seen.method) || typeof seen.body !== 'string' ? 'possible' : seen.body;
}

/** The task that a body names, itself or by an item of the inbox: its text goes with the task. */
function taskOf(body: string | null): string | null {
  const document: unknown = body === null ? null : JSON.parse(body);
  if (typeof document !== 'object' || document === null) return null;
  const taskId = 'task_id' in document ? document.task_id : null;
  if (typeof taskId === 'string' && isId(taskId)) return taskId;
  const itemId = 'id' in document ? document.id : null;
  return typeof itemId === 'string' ? (parseInboxItemId(itemId)?.taskId ?? null) : null;
}

/** What is kept of a request: without secrets, the bytes of files, and what is too long. */
export function readKept(seen: SeenRequest): RecordedRequest {
  const { body: held, isRepeatable: _, isForOneUser: _user, ...request } = seen;
  const sent = Buffer.isBuffer(held) ? held : null;
  const query = redactQuery(seen.query);
  const body = sent && redactBody(sent.toString('utf8').replaceAll('\0', ''));
  const isRedacted = query.isRedacted || (body?.isRedacted ?? false);
  return {
    ...request,
    query: query.text.slice(0, longestQuery),
    taskId: request.taskId ?? taskOf(body?.text ?? null),
    body: body?.text ?? null,
    replay: sent !== null && body === null ? 'unsupported' : replayStateOf(seen, query.text, isRedacted),
  };
}
