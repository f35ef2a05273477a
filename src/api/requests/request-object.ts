import { z } from 'zod';
import { type KeptRequest, replayStates } from '../../rules/requests/kept-request.ts';
import { toUnixTime, unixTime } from '../contract/unix-time.ts';

/** A request of a program (docs/build/requests.md). */
export const requestObject = z
  .object({
    id: z.string().meta({ description: 'The request id of its answer.' }),
    method: z.string(),
    path: z.string(),
    query: z.string().meta({ description: 'The part of the URL after `?`, without secrets.' }),
    status: z.int().meta({ description: 'HTTP status of the answer; 499 if the caller left before it.' }),
    duration_ms: z.int(),
    credential: z.string().meta({ description: 'Kind and id of the credential: `api_key …`, `oauth …`, or `task_token …`.' }),
    error_code: z.string().nullable(),
    error_param: z.string().nullable(),
    task_id: z.string().nullable(),
    replay: z.enum(replayStates).meta({ description: 'Whether it can be sent again as it is shown: `possible`, or why not.' }),
    created_at: unixTime,
  })
  .meta({ id: 'ApiRequest' });

export function presentRequest(request: KeptRequest): z.input<typeof requestObject> {
  const { id, method, path, query, status, durationMs, credential, errorCode, errorParam, taskId, replay, atMs } = request;
  return {
    ...{ id, method, path, query, status, credential, replay },
    duration_ms: durationMs,
    error_code: errorCode,
    error_param: errorParam,
    task_id: taskId,
    created_at: toUnixTime(atMs),
  };
}
