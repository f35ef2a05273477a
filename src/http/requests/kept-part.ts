import { isId } from '@errand/base/ids.ts';
import type { ReplayState } from '../../rules/requests/kept-request.ts';
import { redactBody, redactQuery } from '../../rules/requests/redaction.ts';
import type { RecordedRequest } from '../../store/requests/kept-requests.ts';

/** A body that is longer is not kept. */
const longestBody = 8 * 1024;
const longestQuery = 1000;

/** What the server knows at the end of a request. */
export interface SeenRequest extends Omit<RecordedRequest, 'query' | 'body' | 'replay'> {
  query: string;
  /** Of an operation whose body can be kept. */
  body: Buffer | null;
  /** Whether the request is for an operation that the pages can call as well. */
  isRepeatable: boolean;
  isForOneUser: boolean;
}

/** A body that is kept; no other is held in memory. */
export function holdBody(body: unknown): Buffer | null {
  return Buffer.isBuffer(body) && body.length <= longestBody ? body : null;
}

function judge(seen: SeenRequest, query: string, isRedacted: boolean): ReplayState {
  if (!seen.isRepeatable) return 'unsupported';
  if (seen.isForOneUser) return 'for_one_user';
  if (isRedacted) return 'redacted';
  const isCut = query.length > longestQuery || (seen.method !== 'GET' && seen.body === null);
  return isCut ? 'too_large' : 'possible';
}

function taskOf(body: string | null): string | null {
  const document: unknown = body === null ? null : JSON.parse(body);
  const taskId = typeof document === 'object' && document !== null && 'task_id' in document ? document.task_id : null;
  return typeof taskId === 'string' && isId(taskId) ? taskId : null;
}

/** What is kept of a request: without secrets, the bytes of files, and what is too long. */
export function readKept(seen: SeenRequest): RecordedRequest {
  const { body: sent, isRepeatable: _, isForOneUser: _user, ...request } = seen;
  const query = redactQuery(seen.query);
  const body = sent && redactBody(sent.toString('utf8').replaceAll('\0', ''));
  const isRedacted = query.isRedacted || (body?.isRedacted ?? false);
  return {
    ...request,
    query: query.text.slice(0, longestQuery),
    taskId: request.taskId ?? taskOf(body?.text ?? null),
    body: body?.text ?? null,
    replay: sent !== null && body === null ? 'unsupported' : judge(seen, query.text, isRedacted),
  };
}
