import { Worker } from 'node:worker_threads';
import type { Clock } from '@errand/base/clock.ts';
import { Fault } from '@errand/base/fault.ts';
import { type Entrant, FairGate } from '@errand/base/load/fair-gate.ts';
import type { SkillPackage } from '../rules/skills/skill.ts';
import type { PackageSource } from './skill-package-worker.ts';

const deadlineMs = 15_000;
const memoryMb = 96;

type Answer = { skill: SkillPackage } | { problem: string | null; detail: string };

const slots = new FairGate({ capacity: 2 });

/** Reads an uploaded skill in a thread that can be terminated. Rejects with a 400 that explains the problem. */
export function readPackage(source: PackageSource, clock: Clock, uploader: Entrant): Promise<SkillPackage> {
  return slots.run(uploader, () => readInThread(source, clock));
}

function readInThread(source: PackageSource, clock: Clock): Promise<SkillPackage> {
  const worker = new Worker(new URL('./skill-package-worker.ts', import.meta.url), {
    workerData: source,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  const { promise, resolve, reject } = Promise.withResolvers<SkillPackage>();
  const giveUp = (detail: string) =>
    reject(
      new Fault('invalid_argument', 'The skill package was rejected: it takes too long or too much memory to read.', { detail }),
    );
  const timer = clock.setTimer(() => giveUp('deadline'), deadlineMs);
  worker.once('message', (answer: Answer) => {
    if ('skill' in answer) resolve(answer.skill);
    else
      reject(
        new Fault(answer.problem === null ? 'internal' : 'invalid_argument', answer.problem ?? 'It could not be read.', answer),
      );
  });
  worker.once('error', (error) => giveUp(error.message));
  worker.once('exit', () => giveUp('the thread ended'));
  return promise.finally(() => {
    timer.cancel();
    void worker.terminate();
  });
}
