import type { Step } from '../../test/support/models/model-script.ts';
import type { Part, Reply, Seen } from './scripted-model.ts';
import type { JobStage, Outcome } from './job-stage.ts';

/** The protocol in which the service asks the model. */
export type WireName = 'compatible' | 'openai' | 'anthropic' | 'google';

/** What the machine needs to have. */
export type Need = 'sandbox' | 'browser' | 'office';

/** A job that an agent does on the running service with a scripted model. */
export interface PlayedJob {
  kind: 'played';
  name: string;
  about: string;
  wire: WireName;
  needs: readonly Need[];
  /** Whether the job is too long for the commit gate. */
  isHeavy: boolean;
  /** Rejects with what is wrong with the result. */
  play(stage: JobStage): Promise<void>;
}

/** A job that a test of the suite does already; the bench runs that test. */
export interface TestedJob {
  kind: 'tested';
  name: string;
  about: string;
  /** The file of the test, and words of its name. */
  file: string;
  test: string;
  env?: Record<string, string>;
}

export type Job = PlayedJob | TestedJob;

/** What a plain job is: given files, a request, the replies of the model, and the look at the result. */
export interface PlainJob {
  name: string;
  about: string;
  wire?: WireName;
  needs?: readonly Need[];
  files?: Record<string, string | Uint8Array>;
  task: string;
  /** More fields of task.create. */
  more?: Record<string, unknown>;
  replies: readonly Reply[];
  /** Scripted replies in other conversations of the job: subtasks, rows, and structured output. */
  others?: readonly Part[];
  grade: (outcome: Outcome) => void | Promise<void>;
}

/** One reply that calls one tool. */
export function use(tool: string, input: unknown): Step {
  return { calls: [{ tool, input }] };
}

/** Hands files over to the user. */
export function deliver(...paths: string[]): Step {
  return use('deliver', { files: paths.map((path) => ({ path })) });
}

/** Requests whose last user message has these words. */
export function saying(words: string): (seen: Seen) => boolean {
  return ({ lastUserText }) => lastUserText.includes(words);
}

/** A job of one request to one agent. */
export function plainJob({ wire = 'compatible', needs = [], ...job }: PlainJob): PlayedJob {
  const { name, about, files, task, more, replies, others = [], grade } = job;
  return {
    ...{ kind: 'played', name, about, wire, needs, isHeavy: false },
    async play(stage) {
      stage.script([...others, { match: saying(task), replies }]);
      await grade(await stage.work(task, { files, more }));
    },
  };
}
