import type { Model } from '../models/model.ts';
import { charactersPerToken, estimateEntry } from '../models/token-estimate.ts';
import { type ContextStep, type Cut, findClearAt, planContext } from '../rules/context/context-plan.ts';
import type { TranscriptEntry } from '../rules/context/transcript.ts';
import type { ClearedResult } from '../rules/events/task-event.ts';
import { labelOutput, saveOutput } from '../tools/toolbox/output-cap.ts';
import { bringAttachments } from './attachments/workspace-attachments.ts';
import { runCompaction } from './compaction-call.ts';
import type { TaskRun } from './agent-ports.ts';

/** What a tool was called with. */
function findInput(transcript: readonly TranscriptEntry[], callId: string): unknown {
  for (const entry of transcript) {
    if (entry.role !== 'assistant') continue;
    for (const part of entry.parts) if (part.type === 'call' && part.id === callId) return part.input;
  }
  return undefined;
}

/** Saves the full text of results as workspace files, which the model can read again. */
async function saveResults(run: TaskRun, cuts: readonly Cut[]): Promise<ClearedResult[]> {
  const { task, journal, ports } = run;
  await bringAttachments(run);
  const { transcript } = journal.state;
  const workspace = ports.workspaceOf(task);
  return journal.attend(async (signal) => {
    const cleared: ClearedResult[] = [];
    for (const { entry, result, head } of cuts) {
      signal.throwIfAborted();
      const step = transcript[entry];
      const old = step?.role === 'tool' ? step.results[result] : undefined;
      if (!old) continue;
      const label = labelOutput(old.tool, findInput(transcript, old.callId));
      cleared.push({ entry, result, head, path: await saveOutput(old.output, old.callId, workspace, label) });
    }
    return cleared;
  });
}

function planStep({ journal: { state } }: TaskRun, model: Model, estimate: number): ContextStep | null {
  const { transcript, inputRatio } = state;
  const spoken = transcript.reduce((tokens, entry) => tokens + estimateEntry(entry), 0);
  return planContext(state, {
    window: model.window,
    outputLimit: model.outputLimit,
    base: (estimate - spoken) * inputRatio,
    sizeOf: (entry) => estimateEntry(entry) * inputRatio,
    charactersPerToken: charactersPerToken / inputRatio,
  });
}

/**
 * Compacts a conversation before a call with a prompt of `estimate` tokens: true if something was logged, so that the step has to be
 * decided again. Costs nothing while the prompt is short.
 */
export async function compactContext(run: TaskRun, model: Model, estimate: number): Promise<boolean> {
  if (estimate * run.journal.state.inputRatio <= findClearAt(model.window)) return false;
  const step = planStep(run, model, estimate);
  if (!step) return false;
  if (step.do === 'compact') {
    // The summary names the files of the workspace, and quotes results that are stored there.
    await bringAttachments(run);
    await runCompaction(run, model, step);
  } else await run.journal.append([{ type: 'context_cleared', before: step.before, results: await saveResults(run, step.cuts) }]);
  return true;
}
