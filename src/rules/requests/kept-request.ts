import type { Principal } from '../accounts/access.ts';

/** Retention of the record of requests. */
export const requestTtlMs = 7 * 24 * 60 * 60 * 1000;
/** How many of an account's requests are kept. */
export const mostRequests = 1000;

/**
 * Whether a request can be sent again from its record: `possible`, or why not. Its body had a secret or a file (`redacted`), was too long
 * (`too_large`), was never read (`no_body`), or is gone with its task (`deleted`); it acted for one person (`for_one_user`); or it is none that the pages can send.
 */
export const replayStates = ['possible', 'redacted', 'too_large', 'no_body', 'deleted', 'for_one_user', 'unsupported'] as const;
export type ReplayState = (typeof replayStates)[number];

/** Whether a request with this method is whole without a body. */
export function isWithoutBody(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** A request of a program, as its developers see it. */
export interface KeptRequest {
  /** The request id, which begins with the time. */
  id: string;
  atMs: number;
  method: string;
  path: string;
  /** Query string without `?`; secrets are replaced. */
  query: string;
  status: number;
  durationMs: number;
  /** Kind and id of the credential, without its secret. */
  credential: string;
  errorCode: string | null;
  /** The field that the error is about. */
  errorParam: string | null;
  taskId: string | null;
  replay: ReplayState;
}

/** Names the credential of a program; null for callers whose requests are not recorded: people and the operator. */
export function nameCredential({ via }: Principal): string | null {
  if (via.kind === 'api_key') return `api_key ${via.keyId}`;
  if (via.kind === 'oauth') return `oauth ${via.clientId}`;
  if (via.kind === 'task_token') return `task_token ${via.taskId}`;
  return null;
}
