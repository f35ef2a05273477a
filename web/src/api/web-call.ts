import type { CallOptions } from '@errand/client';
import { webConnection } from './errand.ts';
import { webMethods, type WebOperations } from './web-operations.ts';

export type WebRequest<Name extends keyof WebOperations> = WebOperations[Name]['request'];
export type WebResponse<Name extends keyof WebOperations> = WebOperations[Name]['response'];

/**
 * One of the operations that only the service's own pages have (`/web/<name>`). Failures are `ErrandError`s. Several send or show
 * secrets, whose answers the service does not keep: they take no idempotency key, and writes are sent once.
 */
export async function callWeb<Name extends keyof WebOperations>(
  name: Name,
  input: WebRequest<Name>,
  options?: CallOptions,
): Promise<WebResponse<Name>> {
  return (await webConnection.call(name, webMethods[name], input, { idempotencyKey: null, ...options })) as WebResponse<Name>;
}
