import type { Stage } from './stage.ts';

/** An attack in progress. */
export interface AttackUnderWay {
  /** What the hostile account has been told so far by whatever ended. */
  readonly outcomes: readonly string[];
  /** Resolves once this many parts of the attack have ended. */
  waitForOutcomes(count: number): Promise<void>;
  /** Ends it and removes what it left. */
  end(): Promise<void>;
}

/** Something that one account can do to a resource that all share. */
export interface Attack {
  /** What it takes, in a few words. */
  name: string;
  /** Resolves once the request is in progress. */
  begin(stage: Stage): Promise<AttackUnderWay>;
}
