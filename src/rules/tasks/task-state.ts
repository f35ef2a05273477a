import type { UserEntry } from '../context/transcript.ts';
import { Fault } from '@errand/base/fault.ts';
import { advanceRows } from '../rows/rows-state.ts';
import { takeGrant } from '../connectors/connector-grant.ts';
import { advanceExtraction, noExtraction } from '../output/extraction-state.ts';
import { describeEntry, placeAttachments } from '../messages/attachment-place.ts';
import { applyTranscription } from './voice-transcription.ts';
import { addResult, replaceMade } from '../artifacts/made-files.ts';
import { advanceContext, type ContextEvent, isContextEvent } from '../context/rewriting.ts';
import { describeLost } from '../events/running-process.ts';
import { describeLeftOut } from '../events/left-out-files.ts';
import { advancePicture, isPictureEvent, type PictureEvent } from '../events/picture-events.ts';
import { isRowsEvent, type RowsEvent } from '../events/row-events.ts';
import type { LoggedEvent, TaskEvent, UserMessage } from '../events/task-event.ts';
import { addEntry, answer, type Draft, endTurn, hasAnswered, receivePending } from './task-draft.ts';
import { foldModelCall } from './model-outcome.ts';
import { askTool, emptyState, type PendingCall, type TaskState } from './task-shape.ts';
import { isKnownEvent, nextStatus } from './task-status.ts';
import { addUsage } from '../context/token-usage.ts';
import { addTaints } from '../egress/trust.ts';
import { addStored } from '../files/stored-results.ts';
import { askForMissing } from './missing-facts.ts';
import { noteStart } from './repeated-call.ts';
import { readOutput, watchTurn } from './turn-watch.ts';
import { addReferences, renderMessage, trustMessage } from '../messages/user-words.ts';

export { hasAnswered } from './task-draft.ts';
export { askTool, emptyState, maxSubtaskDepth, type PendingCall, subtaskTool, type TaskState } from './task-shape.ts';

const undecided =
  'Not done: the user was asked to confirm it and wrote this instead. Read it, and ask again only if it is still wanted.';

/** A message to a waiting task: the answer to its question, or a reply that does not decide about the action. */
function foldReply(draft: Draft, call: PendingCall, entry: UserEntry): Draft {
  const about = { callId: call.id, tool: call.tool };
  // Kept if it has files, because the transcript of a voice message arrives later.
  const kept = entry.attachments ? { answer: entry } : {};
  if (call.tool === askTool) return answer(draft, { ...about, output: describeEntry(entry), isError: false, ...kept });
  return answer({ ...draft, pendingMessages: [...draft.pendingMessages, entry] }, { ...about, output: undecided, isError: true });
}

/** The UTC date of a time, such as `2026-03-01`. */
function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

function foldUserMessage(draft: Draft, event: UserMessage, atMs: number): Draft {
  const trust = trustMessage(draft.trust, event);
  const granted = event.by === undefined ? takeGrant(draft, event) : draft;
  const known = { ...granted, trust, references: addReferences(draft.references, event.references) };
  const armed = event.outputSchema ? { ...known, outputSchema: event.outputSchema, isSchemaShown: false } : known;
  const day = dayOf(atMs);
  const added = placeAttachments(armed.attachments, event.attachments ?? []);
  const fresh = { ...armed, day, extraction: noExtraction, attachments: [...armed.attachments, ...added] };
  const entry: UserEntry = {
    role: 'user',
    text: renderMessage(event),
    ...(added.length > 0 && { attachments: added }),
    ...(day !== draft.day && { day }),
  };
  const asked = fresh.status === 'waiting' ? fresh.pending.find((call) => call.id === fresh.waitingFor) : undefined;
  if (asked) return { ...foldReply(fresh, asked, entry), waitingFor: null };
  return addEntry(fresh, entry);
}

/** A decision applies to its call; a permanent one, to every call of its kind. */
function foldDecision(draft: Draft, { callId, isAccepted, isLasting, by }: Extract<TaskEvent, { type: 'decided' }>): Draft {
  const decision = { isAccepted, ...(by && { isTimedOut: true as const }) };
  const pending = draft.pending.map((call) => (call.id === callId ? { ...call, ...decision } : call));
  const kind = isLasting ? draft.waitingKind : null;
  const allowedActions = kind === null ? draft.allowedActions : [...draft.allowedActions, kind];
  return { ...draft, pending, allowedActions, waitingFor: null };
}

/** An extraction is valid while its reply is the last message; a later message voids it, but not its cost. */
function foldExtraction(draft: Draft, event: Parameters<typeof advanceExtraction>[1], atMs: number): Draft {
  const usage = 'usage' in event ? addUsage(draft.usage, event.usage) : draft.usage;
  if (!hasAnswered(draft)) return { ...draft, usage };
  const next = { ...draft, usage, extraction: advanceExtraction(draft.extraction, event, { atMs, step: draft.step }) };
  return event.type === 'extract_incomplete' ? addEntry(next, askForMissing(event.missing)) : next;
}

function foldRows(draft: Draft, event: RowsEvent, atMs: number): Draft {
  const usage = 'usage' in event ? addUsage(draft.usage, event.usage) : draft.usage;
  return { ...draft, usage, rows: advanceRows(draft.rows, event, atMs) };
}

function foldPicture(draft: Draft, event: PictureEvent): Draft {
  const usage = 'usage' in event ? addUsage(draft.usage, event.usage) : draft.usage;
  const stored = event.type === 'picture_finished' ? addStored(draft.stored, event) : draft.stored;
  return { ...draft, usage, stored, picture: advancePicture(draft.picture, event) };
}

function foldTaskConfig(draft: Draft, event: Extract<TaskEvent, { type: 'equipped' | 'skill_loaded' | 'tools_pinned' }>): Draft {
  if (event.type === 'tools_pinned') return { ...draft, pins: event.tools };
  if (event.type === 'skill_loaded') {
    const wantedSkills = draft.wantedSkills.filter((id) => id !== event.skillId);
    return { ...draft, wantedSkills, added: [{ role: 'user', text: event.text, isNote: true }] };
  }
  const { type: _, ...taskConfig } = event;
  const wantedSkills = taskConfig.forcedSkills ?? draft.wantedSkills;
  const pins = taskConfig.connectors === undefined ? draft.pins : null;
  return { ...draft, taskConfig: { ...draft.taskConfig, ...taskConfig }, wantedSkills, pins };
}

function foldToolFinished(draft: Draft, event: Extract<TaskEvent, { type: 'tool_finished' }>): Draft {
  const { callId, tool, status, made = [], taints = [], pictures, lasting = draft.lasting } = event;
  const stored = addStored(draft.stored, event);
  const { picture: _done, ...rest } = draft;
  const seen = { ...rest, lasting, made: replaceMade(draft.made, made), trust: addTaints(draft.trust, taints), stored };
  const output = readOutput(event);
  return answer(seen, { callId, tool, output, isError: status === 'error', ...(pictures && { pictures }) });
}

const cancelled = {
  stopped: 'Cancelled: the user stopped the task before this call finished.',
  failed: 'Cancelled: the task ended with an error before this call finished.',
};

/** Adds a note from the service to the agent. */
function foldNote(draft: Draft, event: Extract<TaskEvent, { type: 'files_left_out' | 'process_lost' | 'schema_shown' }>): Draft {
  if (event.type === 'files_left_out') return addEntry(draft, { role: 'user', text: describeLeftOut(event), isNote: true });
  if (event.type === 'process_lost') {
    return addEntry({ ...draft, lasting: [] }, { role: 'user', text: describeLost(event.things), isNote: true });
  }
  return addEntry({ ...draft, isSchemaShown: true }, { role: 'user', text: event.text, isNote: true, isSchema: true });
}

/** A summary may leave the schema out; it is then shown again. */
function keepSchemaShown(draft: Draft): Draft {
  if (draft.rewritten === null || !draft.isSchemaShown) return draft;
  return { ...draft, isSchemaShown: draft.rewritten.some((entry) => entry.role === 'user' && entry.isSchema === true) };
}

function foldTurn(draft: Draft, event: Exclude<TaskEvent, ContextEvent | RowsEvent | PictureEvent>, atMs: number): Draft {
  switch (event.type) {
    case 'user_message':
      return foldUserMessage(draft, event, atMs);
    case 'equipped':
    case 'skill_loaded':
    case 'tools_pinned':
      return foldTaskConfig(draft, event);
    case 'model_started':
      return { ...receivePending(draft), modelOpen: true };
    case 'model_finished':
    case 'model_failed':
      return foldModelCall(draft, event, atMs);
    case 'tool_started':
      return { ...draft, pending: draft.pending.map((call) => (call.id === event.callId ? noteStart(call, event, atMs) : call)) };
    case 'tool_finished':
      return foldToolFinished(draft, event);
    case 'attachments_placed':
      return { ...draft, placed: event.count };
    case 'voice_transcribed':
      return { ...draft, ...applyTranscription(draft, event) };
    case 'site_made':
    case 'file_delivered':
      return { ...draft, ...addResult(draft, event), stored: addStored(draft.stored, event) };
    case 'assistant_message':
      return draft.delivered.length === 0 ? draft : { ...draft, delivered: [] };
    case 'waiting':
      return { ...draft, waitingFor: event.callId, waitingKind: event.action?.kind ?? null };
    case 'decided':
      return foldDecision(draft, event);
    case 'plan_updated':
      return { ...draft, plan: event.steps };
    case 'extract_started':
    case 'extract_failed':
    case 'extract_finished':
    case 'extract_incomplete':
      return foldExtraction(draft, event, atMs);
    case 'extract_delivered':
      return { ...draft, outputSchema: null, isSchemaShown: false, extraction: noExtraction };
    case 'files_left_out':
    case 'process_lost':
    case 'schema_shown':
      return foldNote(draft, event);
    case 'stopped':
    case 'failed':
      return endTurn(draft, cancelled[event.type]);
    case 'prepared':
    case 'action_prepared':
    case 'running':
    case 'explained':
    case 'plan_step_added':
    case 'step_repeated':
    case 'model_waiting':
    case 'budget_warning':
    case 'user_stopped':
    case 'error':
      return draft;
  }
}

function foldEffect(draft: Draft, event: TaskEvent, atMs: number): Draft {
  if (isContextEvent(event)) return keepSchemaShown({ ...draft, ...advanceContext(draft, event, atMs) });
  if (isPictureEvent(event)) return foldPicture(draft, event);
  return isRowsEvent(event) ? foldRows(draft, event, atMs) : foldTurn(draft, event, atMs);
}

function advance(draft: Draft, { seq, atMs, event }: LoggedEvent): Draft {
  const status = nextStatus(draft.status, event.type);
  const isFirst = draft.seq === 0 && event.type === 'prepared';
  if (status === null || (seq !== draft.seq + 1 && !isFirst)) {
    throw new Fault('internal', 'The task log is damaged.', {
      detail: `event ${seq} (${event.type}) cannot follow event ${draft.seq} in status ${draft.status}`,
    });
  }
  // An emptied conversation continues with the next number, which is the first one when it is read from its beginning.
  if (event.type === 'prepared')
    return { ...draft, ...emptyState, added: [], rewritten: [], status: 'stopped', seq, lastAtMs: atMs };
  if (!isKnownEvent(event.type)) return { ...draft, seq, lastAtMs: atMs };
  return { ...foldEffect(draft, event, atMs), ...watchTurn(draft, event, atMs), status, seq, lastAtMs: atMs };
}

/** The state after one more event of the log. Pure; folding a log in parts or at once gives the same state. */
export function fold(state: TaskState, logged: LoggedEvent): TaskState {
  return foldAll([logged], state);
}

/** The state of a whole log, or of its rest when `from` is given. */
export function foldAll(events: Iterable<LoggedEvent>, from: TaskState = emptyState): TaskState {
  // Both are mutated in place, because a copy of the transcript per event would take quadratic time, and one of the rest is a third of the
  // garbage of a task; neither is visible before the end.
  let transcript = [...from.transcript];
  let draft: Draft = { ...from, added: [], rewritten: null };
  for (const logged of events) {
    draft = advance(Object.assign(draft, { transcript, added: [], rewritten: null }), logged);
    if (draft.rewritten) transcript = [...draft.rewritten];
    transcript.push(...draft.added);
  }
  const { added: _added, rewritten: _rewritten, ...state } = draft;
  return { ...state, transcript };
}
