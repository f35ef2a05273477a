import type { Fault } from '@errand/base/fault.ts';
import { answerInside, answerJson } from '../authorization-server/oauth-answer.ts';
import { answerProblem } from '../pages/layout/page-layout.ts';
import { PageFault, sayFault } from '../pages/layout/page-fault.ts';
import type { Texts } from '../pages/layout/page-texts-en.ts';
import type { WebAnswer } from '../request/web-request.ts';

export interface FaultPlace {
  requestId?: string;
  /** Whether the page links to the home page, by default; the content origin has none. */
  hasHome?: boolean;
}

/** What people see when a request fails. The API's English sentences are listed with their meaning. */
export function answerPageFault(texts: Texts, fault: Fault, { requestId = '', hasHome = true }: FaultPlace): WebAnswer {
  const { title, titles } = texts.fault;
  const problem = sayFault(fault)(texts);
  const isForeign = !(fault instanceof PageFault) && fault.code !== 'internal' && problem !== fault.message;
  return answerProblem(texts, {
    status: fault.status,
    title: titles[fault.code] ?? title,
    problem,
    inEnglish: isForeign && fault.message,
    requestId: fault.status >= 500 && requestId,
    hasHome,
  });
}

/** What applications receive when a request fails. */
export function answerEndpointFault(fault: Fault): WebAnswer {
  if (fault.status >= 500) return answerInside(fault);
  return answerJson({ error: 'invalid_request', error_description: fault.message }, fault.status);
}
