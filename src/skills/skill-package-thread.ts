import type { Clock } from '@errand/base/clock.ts';
import { Fault } from '@errand/base/fault.ts';
import { type Entrant, FairGate } from '@errand/base/load/fair-gate.ts';
import { askThread, NoAnswer } from '@errand/base/threads/one-use-thread.ts';
import type { SkillPackage } from '../rules/skills/skill.ts';
import type { PackageSource } from './skill-package-worker.ts';

const limits = { deadlineMs: 15_000, memoryMb: 96 };
const file = new URL('./skill-package-worker.ts', import.meta.url);

type Answer = { skill: SkillPackage } | { problem: string | null; detail: string };

const slots = new FairGate({ capacity: 2 });

function refuse(detail: string): Fault {
  const text = 'The skill package was rejected: it takes too long or too much memory to read.';
  return new Fault('invalid_argument', text, { detail });
}

/** Reads an uploaded skill in a thread that can be terminated. Rejects with a 400 that explains the problem. */
export async function readPackage(source: PackageSource, clock: Clock, uploader: Entrant): Promise<SkillPackage> {
  const ask = () => askThread<Answer>({ file, input: source, ...limits, clock, signal: uploader.signal });
  const answer = await slots.run(uploader, ask).catch((error: unknown) => {
    throw error instanceof NoAnswer ? refuse(error.message) : error;
  });
  if ('skill' in answer) return answer.skill;
  if (answer.problem === null) throw new Fault('internal', 'It could not be read.', answer);
  throw new Fault('invalid_argument', answer.problem, answer);
}
