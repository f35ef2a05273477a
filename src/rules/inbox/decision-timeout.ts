/** How long a task waits for a person. At the end, a question is answered and an action is skipped. */
export interface DecisionTimeout {
  seconds: number;
  /** The answer to a question; null lets the agent continue by its own judgment. */
  answer: string | null;
}

/** Bounds in seconds: nobody could answer in less time, and nobody will after a year. */
export const [leastTimeoutSeconds, mostTimeoutSeconds] = [10, 31_536_000];

/** What the agent reads as the answer to a question for which none was given in advance. */
export const unanswered = 'Nobody answered in time. Go on with your best judgement, and say in the result what you assumed.';
