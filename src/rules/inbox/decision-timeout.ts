/** How long a task waits for a person, and what happens then: a question is answered, an action is not done. */
export interface DecisionTimeout {
  seconds: number;
  /** The answer that a question gets; null lets the agent go on by its own judgement. */
  answer: string | null;
}

/** Bounds of its seconds: shorter, nobody could answer; longer is a year, and then nobody will. */
export const [leastTimeoutSeconds, mostTimeoutSeconds] = [10, 31_536_000];

/** What the agent reads as the answer to a question for which none was given in advance. */
export const unanswered = 'Nobody answered in time. Go on with your best judgement, and say in the result what you assumed.';
