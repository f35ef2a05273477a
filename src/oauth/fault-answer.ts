import type { Fault } from '../base/fault.ts';
import { answerInside, answerJson } from './oauth-answer.ts';
import { answerProblem } from './page.ts';
import { PageFault, sayFault } from './page-fault.ts';
import type { Texts } from './text/en.ts';
import type { WebAnswer } from './web-request.ts';

/** What people are told when a request came to nothing. Sentences of the API, which are English, stand beside what they mean. */
export function answerPageFault(texts: Texts, fault: Fault, requestId: string): WebAnswer {
  const { title, titles } = texts.fault;
  const problem = sayFault(fault)(texts);
  const isForeign = !(fault instanceof PageFault) && fault.code !== 'internal' && problem !== fault.message;
  return answerProblem(texts, {
    status: fault.status,
    title: titles[fault.code] ?? title,
    problem,
    inEnglish: isForeign && fault.message,
    requestId: fault.status >= 500 && requestId,
  });
}

/** What applications are told when a request came to nothing. */
export function answerEndpointFault(fault: Fault): WebAnswer {
  if (fault.status >= 500) return answerInside(fault);
  return answerJson({ error: 'invalid_request', error_description: fault.message }, fault.status);
}
