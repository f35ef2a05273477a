import { type Decision, nextStep } from '../rules/next-step.ts';
import { finishEvents } from './ending.ts';
import { runExtraction } from './extract.ts';
import { createGearing } from './gear.ts';
import { runLoadStep } from './load-step.ts';
import { runModelStep } from './model-step.ts';
import type { Turn } from './ports.ts';
import { runAskStep, runToolStep } from './tool-step.ts';

async function perform(turn: Turn, decision: Decision): Promise<void> {
  const { journal } = turn;
  switch (decision.do) {
    case 'model':
      return runModelStep(turn, decision);
    case 'load':
      return runLoadStep(turn, decision.skillId);
    case 'tools':
      return runToolStep(turn, decision.calls);
    case 'ask':
      return runAskStep(turn, decision.call);
    case 'extract':
      return journal.state.outputSchema ? runExtraction(turn, journal.state.outputSchema, decision) : undefined;
    case 'finish':
      await journal.appendIfCurrent(finishEvents(journal.state));
      return;
    case 'rest':
      return;
  }
}

/**
 * Carries a task on from wherever its log ends until it rests (`rest`: finished, waiting, failed) or its worker wants the
 * place back (`yielded`: between two steps, nothing is lost). Rejects with `LeaseLost` when the task was taken away.
 */
export async function driveTask(work: Omit<Turn, 'gear'>, shouldYield: () => boolean): Promise<'rest' | 'yielded'> {
  const { journal } = work;
  const prepareGear = createGearing(work);
  for (;;) {
    if (nextStep(journal.state).do === 'rest') return 'rest';
    // Decided after it, because making it may log something and so hear of what came in meanwhile.
    const gear = await prepareGear();
    await perform({ ...work, gear }, nextStep(journal.state));
    if (journal.state.status === 'running' && shouldYield()) return 'yielded';
  }
}
