import type { UserEntry } from '../context/transcript.ts';
import { Fault } from '@errand/base/fault.ts';
import { advanceRows } from '../rows/rows-state.ts';
import { takeGrant } from '../connectors/connector-grant.ts';
import { advanceExtraction, noExtraction } from '../output/extraction-state.ts';
import { describeEntry, placeAttachments } from '../messages/attachment-place.ts';
import { addResult } from '../artifacts/made-files.ts';
import { advanceContext, type ContextEvent, isContextEvent } from '../context/rewriting.ts';
import { reminderMark } from '../context/plan-reminder.ts';
import { describeLost } from '../events/running-process.ts';
import { describeLeftOut } from '../events/left-out-files.ts';
import { advancePicture, isPictureEvent, type PictureEvent } from '../events/picture-events.ts';
import { isRowsEvent, type RowsEvent } from '../events/row-events.ts';
import type { LoggedEvent, TaskEvent, UserMessage } from '../events/task-event.ts';
import { addEntry, answer, type Draft, endTurn, hasAnswered } from './task-draft.ts';
import { foldAttachmentEvent } from './attachments/attachment-events.ts';
import { foldModelCall, foldToolFinished } from './call-outcome.ts';
import { askTool, emptyState, type PendingCall, type TaskState } from './task-shape.ts';
import { isKnownEvent, nextStatus } from './task-status.ts';
import { addUsage } from '../context/token-usage.ts';
import { addStored } from '../files/stored-results.ts';
import { askForMissing } from './missing-facts.ts';
import { noteStart } from './repeated-call.ts';
import { watchTurn } from './turn-watch.ts';
import { addReferences, renderMessage, trustMessage } from '../messages/user-words.ts';

export { hasAnswered } from './task-draft.ts';
export { askTool, emptyState, maxSubtaskDepth, type PendingCall, subtaskTool, type TaskState } from './task-shape.ts';

const undecided =
  'Not done: the user was asked to confirm it and wrote this instead. Read it, and ask again only if it is still wanted.';

/** A message to a waiting task: the answer to its question, or a reply that does not decide about the action. */
function foldReply(draft: Draft, call: PendingCall, message: UserEntry, isSameDay: boolean): void {
  const about = { callId: call.id, tool: call.tool };
  const { day: _day, ...undated } = message;
  // An answer needs no date if it came on the day of the question's message.
  const entry = isSameDay && call.tool === askTool ? undated : message;
  // Kept if it has files, because the transcript of a voice message arrives later.
  const kept = entry.attachments ? { answer: entry } : {};
  if (call.tool === askTool) return answer(draft, { ...about, output: describeEntry(entry), isError: false, ...kept });
  draft.pendingMessages = [...draft.pendingMessages, entry];
  answer(draft, { ...about, output: undecided, isError: true });
}

/** The UTC date of a time, such as `2026-03-01`. */
function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

function foldUserMessage(draft: Draft, event: UserMessage, atMs: number): void {
  draft.trust = trustMessage(draft.trust, event);
  if (event.by === undefined) Object.assign(draft, takeGrant(draft, event));
  draft.references = addReferences(draft.references, event.references);
  if (event.outputSchema) Object.assign(draft, { outputSchema: event.outputSchema, isSchemaShown: false });
  const day = dayOf(atMs);
  const added = placeAttachments(draft.attachments, event.attachments ?? []);
  const entry: UserEntry = {
    role: 'user',
    text: renderMessage(event),
    ...(added.length > 0 && { attachments: added }),
    day,
  };
  const isSameDay = day === draft.day;
  draft.day = day;
  draft.extraction = noExtraction;
  if (added.length > 0) draft.attachments = [...draft.attachments, ...added];
  if (event.awaited) draft.awaited = [...draft.awaited, ...event.awaited];
  const asked = draft.status === 'waiting' ? draft.pending.find((call) => call.id === draft.waitingFor) : undefined;
  if (!asked) return addEntry(draft, entry);
  foldReply(draft, asked, entry, isSameDay);
  draft.waitingFor = null;
}

/** A decision applies to its call; a permanent one, to every call of its kind. */
function foldDecision(draft: Draft, { callId, isAccepted, isLasting, by }: Extract<TaskEvent, { type: 'decided' }>): void {
  const decision = { isAccepted, ...(by && { isTimedOut: true as const }) };
  draft.pending = draft.pending.map((call) => (call.id === callId ? { ...call, ...decision } : call));
  const kind = isLasting ? draft.waitingKind : null;
  if (kind !== null) draft.allowedActions = [...draft.allowedActions, kind];
  draft.waitingFor = null;
}

/** An extraction is valid while its reply is the last message; a later message voids it, but not its cost. */
function foldExtraction(draft: Draft, event: Parameters<typeof advanceExtraction>[1], atMs: number): void {
  if ('usage' in event) draft.usage = addUsage(draft.usage, event.usage);
  if (!hasAnswered(draft)) return;
  draft.extraction = advanceExtraction(draft.extraction, event, { atMs, step: draft.step });
  if (event.type === 'extract_incomplete') addEntry(draft, askForMissing(event.missing));
}

function foldRows(draft: Draft, event: RowsEvent, atMs: number): void {
  if ('usage' in event) draft.usage = addUsage(draft.usage, event.usage);
  draft.rows = advanceRows(draft.rows, event, atMs);
}

function foldPicture(draft: Draft, event: PictureEvent): void {
  if ('usage' in event) draft.usage = addUsage(draft.usage, event.usage);
  if (event.type === 'picture_finished') draft.stored = addStored(draft.stored, event);
  draft.picture = advancePicture(draft.picture, event);
}

function foldTaskConfig(draft: Draft, event: Extract<TaskEvent, { type: 'equipped' | 'skill_loaded' | 'tools_pinned' }>): void {
  if (event.type === 'tools_pinned') draft.pins = event.tools;
  else if (event.type === 'skill_loaded') {
    draft.wantedSkills = draft.wantedSkills.filter((id) => id !== event.skillId);
    draft.transcript.push({ role: 'user', text: event.text, isNote: true });
  } else {
    const { type: _, ...taskConfig } = event;
    draft.taskConfig = { ...draft.taskConfig, ...taskConfig };
    draft.wantedSkills = taskConfig.forcedSkills ?? draft.wantedSkills;
    if (taskConfig.connectors !== undefined) draft.pins = null;
  }
}

const cancelled = {
  stopped: 'Cancelled: the user stopped the task before this call finished.',
  failed: 'Cancelled: the task ended with an error before this call finished.',
};

/** Adds a note from the service to the agent. */
function foldNote(draft: Draft, event: Extract<TaskEvent, { type: 'files_left_out' | 'process_lost' | 'schema_shown' }>): void {
  if (event.type === 'files_left_out')
    addEntry(draft, { role: 'user', text: `${reminderMark} ${describeLeftOut(event)}`, isNote: true });
  else if (event.type === 'process_lost') {
    draft.lasting = [];
    addEntry(draft, { role: 'user', text: `${reminderMark} ${describeLost(event.things)}`, isNote: true });
  } else {
    draft.isSchemaShown = true;
    addEntry(draft, { role: 'user', text: event.text, isNote: true, isSchema: true });
  }
}

/** A rewritten conversation. A summary may leave the schema out; it is then shown again. */
function foldContext(draft: Draft, event: ContextEvent, atMs: number): void {
  const { rewritten, ...change } = advanceContext(draft, event, atMs);
  Object.assign(draft, change);
  if (!rewritten) return;
  draft.transcript = [...rewritten];
  if (draft.isSchemaShown) draft.isSchemaShown = rewritten.some((entry) => entry.role === 'user' && entry.isSchema === true);
}

const set = (draft: Draft, change: Partial<Draft>): void => void Object.assign(draft, change);

function foldTurn(draft: Draft, event: Exclude<TaskEvent, ContextEvent | RowsEvent | PictureEvent>, atMs: number): void {
  switch (event.type) {
    case 'user_message':
      return foldUserMessage(draft, event, atMs);
    case 'equipped':
    case 'skill_loaded':
    case 'tools_pinned':
      return foldTaskConfig(draft, event);
    case 'model_started':
    case 'model_finished':
    case 'model_failed':
      return foldModelCall(draft, event, atMs);
    case 'tool_started':
      return set(draft, {
        pending: draft.pending.map((call) => (call.id === event.callId ? noteStart(call, event, atMs) : call)),
      });
    case 'tool_finished':
      return foldToolFinished(draft, event);
    case 'attachments_placed':
    case 'file_fetched':
    case 'voice_transcribed':
      return foldAttachmentEvent(draft, event);
    case 'site_made':
    case 'file_delivered':
      return set(draft, { ...addResult(draft, event), stored: addStored(draft.stored, event) });
    case 'assistant_message':
      return set(draft, { delivered: [] });
    case 'waiting':
      return set(draft, { waitingFor: event.callId, waitingKind: event.action?.kind ?? null });
    case 'decided':
      return foldDecision(draft, event);
    case 'plan_updated':
      return set(draft, { plan: event.steps });
    case 'extract_started':
    case 'extract_failed':
    case 'extract_finished':
    case 'extract_incomplete':
      return foldExtraction(draft, event, atMs);
    case 'extract_delivered':
      return set(draft, { outputSchema: null, isSchemaShown: false, extraction: noExtraction });
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
      return;
  }
}

function foldEffect(draft: Draft, event: TaskEvent, atMs: number): void {
  if (isContextEvent(event)) foldContext(draft, event, atMs);
  else if (isPictureEvent(event)) foldPicture(draft, event);
  else if (isRowsEvent(event)) foldRows(draft, event, atMs);
  else foldTurn(draft, event, atMs);
}

function advance(draft: Draft, { seq, atMs, event }: LoggedEvent): void {
  const status = nextStatus(draft.status, event.type);
  const isFirst = draft.seq === 0 && event.type === 'prepared';
  if (status === null || (seq !== draft.seq + 1 && !isFirst)) {
    throw new Fault('internal', 'The task log is damaged.', {
      detail: `event ${seq} (${event.type}) cannot follow event ${draft.seq} in status ${draft.status}`,
    });
  }
  // An emptied conversation continues with the next number, which is the first one when it is read from its beginning.
  if (event.type === 'prepared') Object.assign(draft, emptyState, { transcript: [], status: 'stopped' });
  else if (isKnownEvent(event.type)) {
    // Counted from the state before the event.
    const watched = watchTurn(draft, event, atMs);
    foldEffect(draft, event, atMs);
    Object.assign(draft, watched);
    draft.status = status;
  }
  draft.seq = seq;
  draft.lastAtMs = atMs;
}

/** The state after one more event of the log. Pure; folding a log in parts or at once gives the same state. */
export function fold(state: TaskState, logged: LoggedEvent): TaskState {
  return foldAll([logged], state);
}

/** The state of a whole log, or of its rest when `from` is given. */
export function foldAll(events: Iterable<LoggedEvent>, from: TaskState = emptyState): TaskState {
  const draft: Draft = { ...from, transcript: [...from.transcript] };
  for (const logged of events) advance(draft, logged);
  return draft;
}
