import type { PlacedAttachment } from '../messages/attachment-place.ts';
import { findPendingVoice } from './attachments/voice-transcription.ts';
import type { AwaitedFile, TaskEvent } from '../events/task-event.ts';
import { askTool, foldAll, hasAnswered, type PendingCall, subtaskTool, type TaskState } from './task-state.ts';

/** What a worker does next with a task. */
export type Decision =
  | { do: 'idle' }
  | { do: 'model'; step: number; attempt: number; notBefore: number }
  | { do: 'fetch'; files: readonly AwaitedFile[] }
  | { do: 'listen'; voice: PlacedAttachment }
  | { do: 'load'; skillId: string }
  | { do: 'tools'; calls: readonly PendingCall[] }
  | { do: 'subtasks'; calls: readonly PendingCall[] }
  | { do: 'ask'; call: PendingCall }
  | { do: 'extract'; attempt: number; notBefore: number }
  | { do: 'finish' };

/**
 * Pure: the same state always gives the same decision, so a worker that takes over a task resumes exactly where the log
 * ends. Tool calls decide whether there is more to do, never a provider's finish reason.
 */
export function nextStep(state: TaskState): Decision {
  if (state.status !== 'running') return { do: 'idle' };
  // A call that was cut is only answered, whatever its tool.
  const runnable = state.pending.filter((call) => call.isCut === true || (call.tool !== askTool && call.tool !== subtaskTool));
  if (runnable.length > 0) return { do: 'tools', calls: runnable };
  const subtasks = state.pending.filter((call) => call.tool === subtaskTool);
  if (subtasks.length > 0) return { do: 'subtasks', calls: subtasks };
  const asked = state.pending[0];
  if (asked) return { do: 'ask', call: asked };
  // Also after an answer: the message may have come while the model worked on it.
  if (state.awaited.length > 0) return { do: 'fetch', files: state.awaited };
  const voice = hasAnswered(state) ? undefined : findPendingVoice(state);
  if (voice) return { do: 'listen', voice };
  const [skillId] = state.wantedSkills;
  if (skillId !== undefined && !state.modelOpen && !hasAnswered(state)) return { do: 'load', skillId };
  if (!hasAnswered(state)) return { do: 'model', step: state.step + 1, attempt: state.failures + 1, notBefore: state.retryAt };
  const { outcome, starts, retryAt } = state.extraction;
  if (state.outputSchema && !outcome) return { do: 'extract', attempt: starts + 1, notBefore: retryAt };
  return { do: 'finish' };
}

/** The state as it will be when these events are logged right after it, at this time or immediately. */
export function foresee(state: TaskState, events: readonly TaskEvent[], nowMs = 0): TaskState {
  const firstAtMs = Math.max(nowMs, state.lastAtMs + 1);
  return foldAll(
    events.map((event, index) => ({ seq: state.seq + 1 + index, atMs: firstAtMs + index, event })),
    state,
  );
}
