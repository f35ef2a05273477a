import { type Decision, nextStep } from '../rules/tasks/next-step.ts';
import { finishEvents } from './ending.ts';
import { runExtraction } from './extract.ts';
import { createStepTools } from './step-tools.ts';
import { runListenStep } from './attachments/transcription-step.ts';
import { runLoadStep } from './load-step.ts';
import { runModelStep } from './model-step.ts';
import type { TaskRun } from './agent-ports.ts';
import { runSubtaskStep } from './subtask-step.ts';
import { runAskStep, runToolStep } from './tool-step.ts';

/** Performs the next step. @returns false if the task can only wait for other tasks */
async function perform(run: TaskRun, decision: Decision): Promise<boolean> {
  const { journal } = run;
  switch (decision.do) {
    case 'subtasks':
      return runSubtaskStep(run, decision.calls);
    case 'model':
      await runModelStep(run, decision);
      break;
    case 'fetch': {
      const { runFetchStep } = await import('./attachments/fetch-step.ts');
      await runFetchStep(run, decision.files);
      break;
    }
    case 'listen':
      await runListenStep(run, decision.voice);
      break;
    case 'load':
      await runLoadStep(run, decision.skillId);
      break;
    case 'tools':
      await runToolStep(run, decision.calls);
      break;
    case 'ask':
      await runAskStep(run, decision.call);
      break;
    case 'extract':
      if (journal.state.outputSchema) await runExtraction(run, journal.state.outputSchema, decision);
      break;
    case 'finish':
      await journal.appendIfCurrent(finishEvents(journal.state));
      break;
    case 'idle':
      break;
  }
  return true;
}

/** Logs which processes and sessions have ended since the last call, under another worker or on their own. */
async function reportLost({ journal, resources }: Omit<TaskRun, 'stepTools'>): Promise<void> {
  if (journal.state.lasting.length === 0) return;
  const there = new Set(resources.listKnown().map(({ id }) => id));
  const things = journal.state.lasting.filter(({ id }) => !there.has(id));
  if (things.length > 0) await journal.append([{ type: 'process_lost', things }]);
}

/**
 * Drives a task from the end of its log. `idle`: it has finished, failed, or waits for a person. `suspended`: it waits for its subtasks.
 * `yielded`: the worker needs its slot, so it stops between two steps; nothing is lost. Rejects with `LeaseLost` if another worker has
 * claimed the task, or it was stopped or deleted.
 */
export async function driveTask(
  work: Omit<TaskRun, 'stepTools'>,
  shouldYield: () => boolean,
): Promise<'idle' | 'suspended' | 'yielded'> {
  const { journal } = work;
  await work.ports.settleModels(work.task);
  const prepareStepTools = createStepTools(work);
  for (;;) {
    if (nextStep(journal.state).do === 'idle') return 'idle';
    await reportLost(work);
    // Decided afterward, because building the tools may log something and so receive new messages.
    const stepTools = await prepareStepTools();
    if (!(await perform({ ...work, stepTools }, nextStep(journal.state)))) return 'suspended';
    if (journal.state.status !== 'running' || !shouldYield()) continue;
    await journal.storeHeld();
    return 'yielded';
  }
}
