import { addTrace, isFruitless } from './repetition.ts';
import type { TaskEvent } from '../events/task-event.ts';
import { findLoop, type TurnStart } from './turn-limits.ts';
import type { TaskState } from './task-shape.ts';
import { calibrateInput } from '../context/token-usage.ts';

/** Longer silences do not count, because the service was down. */
const longestCountedMs = 60 * 60_000;

function addTime({ turn, lastAtMs }: TaskState, atMs: number): TurnStart {
  return { ...turn, workedMs: turn.workedMs + Math.min(atMs - lastAtMs, longestCountedMs) };
}

/** A call that was no mere repetition. It ends a loop: the model gets a last step again when it reaches a limit later. */
function noteProgress(turn: TurnStart, state: TaskState): TurnStart {
  return { ...turn, progressStep: state.step, lastStep: findLoop(state) === null ? turn.lastStep : null };
}

/** Detects loops and endless tasks: counts restart with each message from the user. */
export function watchTurn(state: TaskState, event: TaskEvent, atMs: number): Partial<TaskState> {
  const turn = addTime(state, atMs);
  switch (event.type) {
    case 'user_message':
    case 'decided': {
      const { step, usage } = state;
      return { traces: [], turn: { step, tokens: usage.input + usage.output, workedMs: 0, lastStep: null, progressStep: step } };
    }
    case 'model_failed':
    case 'extract_failed':
    case 'compact_failed':
    case 'rows_failed':
      return { turn, ...(event.switchTo !== undefined && { modelInUse: { name: event.switchTo, sinceMs: atMs } }) };
    case 'model_started':
      return {
        openEstimate: event.estimatedInput,
        calledModel: event.model,
        turn: event.isLast === true ? { ...turn, lastStep: event.step } : turn,
      };
    case 'model_finished':
      return {
        inputRatio: calibrateInput(state, event.usage.input),
        // A reply that continues in the next step neither repeats a call nor ends a loop.
        turn: event.isContinued === true ? { ...turn, progressStep: turn.progressStep + 1 } : turn,
      };
    case 'tool_finished': {
      const call = state.pending.find(({ id }) => id === event.callId);
      if (!call) return { turn };
      const watched = isFruitless(state.traces, call, event) ? turn : noteProgress(turn, state);
      if (event.isRefused === true) return { turn: watched };
      return { traces: addTrace(state.traces, call, event.status, event.output), turn: watched };
    }
    default:
      return { turn };
  }
}

/** A result as the model reads it. */
export function readOutput({ output, note }: Extract<TaskEvent, { type: 'tool_finished' }>): string {
  return note === undefined ? output : `${output}\n\n${note}`;
}
