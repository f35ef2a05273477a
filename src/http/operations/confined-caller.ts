import type { IncomingHttpHeaders } from 'node:http';
import { Fault, invalidField } from '@errand/base/fault.ts';
import { readUserId } from '../../api/contract/external-user-field.ts';
import type { Caller } from '../authentication/authenticate.ts';

const header = 'errand-user';

/** What may be asked for one person of an account's product: everything about single tasks, and the list of theirs. */
const operations: ReadonlySet<string | undefined> = new Set([
  ...['task.create', 'task.list', 'task.detail', 'task.listMessages', 'task.stream', 'task.token'],
  ...['task.rate', 'task.listRatings', 'task.sendMessage', 'task.confirmAction', 'task.update', 'task.stop', 'task.delete'],
]);

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalidField(header, 'must be percent-encoded');
  }
}

/**
 * Confines a request with an API key and the header `Errand-User` to one person: it finds only tasks with this `external_user_id`, and
 * creates tasks with it.
 */
export function confineToUser(caller: Caller, headers: IncomingHttpHeaders, operation: string | undefined): Caller {
  const given = headers[header];
  if (given === undefined) return caller;
  const { principal, credential } = caller;
  if (principal.via.kind !== 'api_key') throw invalidField(header, 'needs an API key of an account');
  const externalUserId = typeof given === 'string' ? readUserId(decode(given)) : null;
  if (externalUserId === null) throw invalidField(header, 'must name one person');
  if (!operations.has(operation)) {
    throw new Fault(
      'permission_denied',
      'Errand-User: requests for one person call operations of task only; leave the header out.',
    );
  }
  const via = { ...principal.via, externalUserId };
  return { ...caller, principal: { ...principal, via }, credential: `${credential} for ${externalUserId}` };
}
