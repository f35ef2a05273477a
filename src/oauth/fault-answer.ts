import type { Fault } from '../base/fault.ts';
import { answerInside, answerJson } from './oauth-answer.ts';
import { answerProblem } from './page.ts';
import type { WebAnswer } from './web-request.ts';
import type { RouteKind } from './web-routes.ts';

const titles: Readonly<Partial<Record<Fault['code'], string>>> = {
  not_found: 'Not here',
  permission_denied: 'That did not work',
  internal: 'Something went wrong',
  unavailable: 'Try again in a moment',
};

/** What is answered when a request came to nothing. */
export function answerFault(kind: RouteKind, fault: Fault, requestId: string): WebAnswer {
  const isOurs = fault.status >= 500;
  if (kind === 'page') {
    return answerProblem(fault.status, titles[fault.code] ?? 'That did not work', fault.message, isOurs ? requestId : undefined);
  }
  if (isOurs) return answerInside(fault);
  return answerJson({ error: 'invalid_request', error_description: fault.message }, fault.status);
}
