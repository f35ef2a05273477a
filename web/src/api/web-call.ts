import type { CallOptions } from '@errand/client';
import { webConnection } from './errand.ts';
import { webMethods, type WebOperations, webSecrets } from './web-operations.ts';

export type WebRequest<Name extends keyof WebOperations> = WebOperations[Name]['request'];
export type WebResponse<Name extends keyof WebOperations> = WebOperations[Name]['response'];

/**
 * Calls an operation that is only for the application itself (`/web/<name>`). Failures are `ErrandError`s. The service stores no
 * idempotency keys for requests with secrets, so those are not retried.
 */
export async function callWeb<Name extends keyof WebOperations>(
  name: Name,
  input: WebRequest<Name>,
  options?: CallOptions,
): Promise<WebResponse<Name>> {
  const once = webSecrets.has(name) ? { idempotencyKey: null } : {};
  return (await webConnection.call(name, webMethods[name], input, { ...options, ...once })) as WebResponse<Name>;
}
