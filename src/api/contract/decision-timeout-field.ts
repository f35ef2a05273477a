import { z } from 'zod';
import { invalidField } from '@errand/base/fault.ts';
import { type DecisionTimeout, leastTimeoutSeconds, mostTimeoutSeconds } from '../../rules/inbox/decision-timeout.ts';
import { optional } from './fields.ts';
import { isLongerThan } from './text-length.ts';

const maxAnswerLength = 10_000;
const about = 'What happens if nobody answers or confirms in time (docs/build/inbox.md#time-limits).';

const request = z.object({
  seconds: z
    .int()
    .min(leastTimeoutSeconds)
    .max(mostTimeoutSeconds)
    .meta({ description: `How long the task waits, ${leastTimeoutSeconds} seconds to a year.` }),
  answer: optional(z.string()).meta({
    description: 'The answer to a question, at most 10,000 characters; without it, the agent continues by its own judgement.',
  }),
});

/** How long a task waits for a person, in a request. */
export const decisionTimeoutField = optional(request).meta({ description: `${about} Default: it waits as long as it takes.` });

/** How long a task waits for a person, in a request that changes it; null removes the timeout. */
export const decisionTimeoutChange = request.nullish().meta({ description: `${about} Null removes it.` });

/** Reads the timeout. Throws 400 for an answer that is too long; an answer of only whitespace counts as none. */
export function readDecisionTimeout(input: z.output<typeof request> | undefined): DecisionTimeout | null {
  if (!input) return null;
  const answer = input.answer?.toWellFormed().replaceAll('\0', '\ufffd').trim() || null;
  if (answer !== null && isLongerThan(answer, maxAnswerLength)) {
    throw invalidField('decision_timeout.answer', `must have at most ${maxAnswerLength} characters`);
  }
  return { seconds: input.seconds, answer };
}

/** How long a task waits for a person, in a response. */
export const shownDecisionTimeout = z
  .object({ seconds: z.int(), answer: z.string().optional() })
  .optional()
  .meta({ description: 'How long it waits for a person; absent if as long as it takes.' });

export function presentDecisionTimeout(timeout: DecisionTimeout | null | undefined): {
  decision_timeout?: { seconds: number; answer?: string };
} {
  if (!timeout) return {};
  return { decision_timeout: { seconds: timeout.seconds, ...(timeout.answer !== null && { answer: timeout.answer }) } };
}
