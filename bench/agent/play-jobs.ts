import { existsSync } from 'node:fs';
import { findBrowser } from '@errand/sandbox/programs';
import { testSandbox } from '../../test/support/sandbox/sandbox-under-test.ts';
import type { Need, PlayedJob, WireName } from './job.ts';
import { JobStage } from './job-stage.ts';

/** What became of a job. */
export interface JobResult {
  name: string;
  /** Null if it passed, or was skipped. */
  problem: string | null;
  isSkipped: boolean;
  /** Calls of the model; 0 where a test ran. */
  steps: number;
  seconds: number;
}

const has: Record<Need, () => boolean> = {
  sandbox: () => Boolean(testSandbox),
  browser: () => findBrowser() !== null,
  office: () => existsSync('/usr/bin/pdftotext'),
};

/** Stages that jobs of one wire share. */
export class Stages {
  readonly #stages = new Map<WireName, Promise<JobStage>>();

  /** Plays one job to its end; never rejects because of the job. */
  async play({ name, wire, needs, play }: PlayedJob): Promise<JobResult> {
    const lacking = needs.filter((need) => !has[need]());
    if (lacking.length > 0) return { name, problem: null, isSkipped: true, steps: 0, seconds: 0 };
    const started = this.#stages.get(wire) ?? JobStage.start(wire);
    this.#stages.set(wire, started);
    const stage = await started;
    const startedAt = performance.now();
    const problem = await play(stage).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    return { name, problem, isSkipped: false, steps: stage.steps, seconds: (performance.now() - startedAt) / 1000 };
  }

  async end(): Promise<void> {
    for (const stage of this.#stages.values()) await (await stage).end();
  }
}
