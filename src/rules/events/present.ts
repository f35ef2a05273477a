import { eventId } from '@errand/base/ids.ts';
import { unmarkOwn } from '../instance/own-model.ts';
import type { RunningProcess } from './running-process.ts';
import { describeError, describePause, isPrivate } from './budget-notice.ts';
import { explain } from './explanation.ts';
import { isPictureEvent, type PictureEvent } from './picture-events.ts';
import { isRowsEvent, type RowsEvent } from './row-events.ts';
import type { SeenPicture } from './seen-picture.ts';
import { type AttachmentView, presentAttachment } from './public-attachment.ts';
import type { Attachment, LoggedEvent, PlanStep, TaskEvent, TaskEventType, UserMessage } from './task-event.ts';

/** The audiences of events: no client, every reader, or only readers that ask for `verbose`. */
export const audiences = { nobody: 0, everyone: 1, verbose: 2 } as const;

const audienceByType: Record<TaskEventType, (typeof audiences)[keyof typeof audiences]> = {
  user_message: audiences.everyone,
  prepared: audiences.nobody,
  equipped: audiences.nobody,
  skill_loaded: audiences.nobody,
  tools_pinned: audiences.nobody,
  running: audiences.everyone,
  model_started: audiences.nobody,
  model_finished: audiences.nobody,
  model_failed: audiences.nobody,
  model_waiting: audiences.verbose,
  context_cleared: audiences.nobody,
  compact_started: audiences.nobody,
  compact_failed: audiences.nobody,
  compact_part: audiences.nobody,
  compacted: audiences.nobody,
  schema_shown: audiences.nobody,
  explained: audiences.verbose,
  tool_started: audiences.nobody,
  step_repeated: audiences.verbose,
  tool_finished: audiences.verbose,
  file_delivered: audiences.nobody,
  attachments_placed: audiences.nobody,
  files_left_out: audiences.verbose,
  process_lost: audiences.verbose,
  file_fetched: audiences.verbose,
  voice_transcribed: audiences.verbose,
  site_made: audiences.nobody,
  plan_updated: audiences.verbose,
  plan_step_added: audiences.verbose,
  assistant_message: audiences.everyone,
  action_prepared: audiences.verbose,
  decided: audiences.nobody,
  waiting: audiences.everyone,
  budget_warning: audiences.everyone,
  user_stopped: audiences.everyone,
  stopped: audiences.everyone,
  error: audiences.everyone,
  failed: audiences.everyone,
  rows_started: audiences.nobody,
  rows_failed: audiences.nobody,
  rows_finished: audiences.nobody,
  picture_started: audiences.nobody,
  picture_failed: audiences.nobody,
  picture_finished: audiences.nobody,
  extract_started: audiences.nobody,
  extract_failed: audiences.nobody,
  extract_incomplete: audiences.nobody,
  extract_finished: audiences.nobody,
  extract_delivered: audiences.everyone,
};

export function audienceOf(type: TaskEventType): number {
  return audienceByType[type];
}

/** A TaskEvent as clients read it (docs/reference/wire-format.md#events): its payload is under the key named after its type. */
export type PublicEvent = { id: string; type: string; timestamp: number } & Record<string, unknown>;

function presentProcess({ id, kind, title }: RunningProcess): Record<string, unknown> {
  return { id, kind, title };
}

function statusUpdate(
  agentStatus: string,
  brief: string,
  detail: Record<string, unknown> = {},
): [string, Record<string, unknown>] {
  return ['status_update', { agent_status: agentStatus, brief, description: '', status_detail: detail }];
}

function presentStep(step: PlanStep) {
  return { status: step.status, title: step.title, started_at: step.startedAt, end_at: step.endedAt };
}

type ToolEvent = Extract<TaskEvent, { type: 'action_prepared' | 'tool_finished' }>;

/** Results of declined calls in logs of earlier versions, which do not mark them. */
const declinedOutput =
  /^Not done: (the user was asked to confirm this and declined|a person was asked to confirm this and nobody did)/;

function isDeclined({ status, output, isDeclined: isMarked }: Extract<TaskEvent, { type: 'tool_finished' }>): boolean {
  return isMarked === true || (status === 'error' && declinedOutput.test(output));
}

/** Tools whose pictures are what they have made, and not what the agent looks at. */
const drawingTools: ReadonlySet<string> = new Set(['make_chart', 'make_image', 'edit_image']);

/** The pictures that a call has made, as models with vision were shown them. */
function presentPictures({ tool, pictures = [] }: Extract<TaskEvent, { type: 'tool_finished' }>, { urlOf }: AttachmentView) {
  if (!drawingTools.has(tool) || pictures.length === 0) return {};
  // Some are JPEGs, which browsers see by the first bytes.
  const present = ({ blobId, bytes, name }: SeenPicture) => {
    const filename = `${name.split('/').at(-1) ?? name}.png`;
    return { path: name, url: urlOf({ blobId, bytes, filename, contentType: 'image/png' }) };
  };
  return { pictures: pictures.map(present) };
}

/** An action that waits for confirmation is reported as prepared successfully (docs/reference/wire-format.md#confirmations). */
function presentTool(event: ToolEvent, view: AttachmentView): Record<string, unknown> {
  const { tool, callId, brief, action, param } = event;
  const about = { tool, action_id: callId, brief, message: { action, param } };
  if (event.type === 'tool_finished') {
    const { status, output: description } = event;
    return { ...about, status, description, ...(isDeclined(event) && { declined: true }), ...presentPictures(event, view) };
  }
  return { ...about, status: 'success', description: '', params: event.params };
}

type Notice = Extract<TaskEvent, { type: 'step_repeated' | 'model_waiting' | 'process_lost' | 'budget_warning' }>;

/** Events that are not caused by the task's agent. */
function presentNotice(event: Notice): Record<string, unknown> {
  switch (event.type) {
    case 'step_repeated': {
      const { callId, tool, attempt, reason, firstStartedAtMs } = event;
      return { tool, action_id: callId, attempt, reason, first_started_at: Math.floor(firstStartedAtMs / 1000) };
    }
    case 'model_waiting': {
      const { model, sinceMs, nextTryAtMs } = event;
      const [provider = model] = unmarkOwn(model).split('/', 1);
      return { provider, model, since: Math.floor(sinceMs / 1000), next_try_at: Math.ceil(nextTryAtMs / 1000) };
    }
    case 'process_lost':
      return { processes: event.things.map(presentProcess) };
    case 'budget_warning': {
      const { scope, period, credits, used } = event;
      return { scope, period, credits, used };
    }
  }
}

/** What a waiting task waits for: an answer, a decision about the action in the previous event, or a higher budget. */
function presentWaiting(event: Extract<TaskEvent, { type: 'waiting' }>, precedingId: string, view: AttachmentView) {
  const { action, budget } = event;
  const subject = budget ? 'a higher budget' : action ? 'confirmation' : 'an answer';
  return statusUpdate('waiting', `Waiting for ${subject}`, {
    waiting_for_event_id: precedingId,
    waiting_for_event_type: budget ? 'budget' : (action?.kind ?? 'messageAskUser'),
    waiting_description: describePause(event, view),
    ...(action && { confirm_input_schema: action.schema }),
  });
}

function presentStatus(
  event: Extract<TaskEvent, { type: 'waiting' | 'running' | 'stopped' | 'failed' }>,
  precedingId: string,
  view: AttachmentView,
) {
  if (event.type === 'waiting') return presentWaiting(event, precedingId, view);
  if (event.type === 'running') return statusUpdate('running', event.brief);
  if (event.type === 'failed') return statusUpdate('error', 'Ended with an error');
  if (event.isUnanswered) return statusUpdate('stopped', 'No language model is connected', { reason: 'no_model' });
  return statusUpdate('stopped', event.by === 'user' ? 'Stopped by the user' : 'Finished');
}

function presentMessage({ text, kind, authorId, awaited }: UserMessage, { showsAccount = false }: AttachmentView) {
  const pending = awaited && { pending_files: awaited.map(({ filename }) => ({ filename })) };
  return { content: text, message_type: kind, ...pending, ...(showsAccount && authorId !== undefined && { author: authorId }) };
}

type Presented = Exclude<TaskEvent, RowsEvent | PictureEvent>;

function payloadOf(event: Presented, precedingId: string, view: AttachmentView): [string, Record<string, unknown>] | null {
  const present = (attachments: readonly Attachment[] = []) => attachments.map((each) => presentAttachment(each, view));
  switch (event.type) {
    case 'user_message':
      return ['user_message', { ...presentMessage(event, view), attachments: present(event.attachments) }];
    case 'assistant_message':
      return ['assistant_message', { content: event.text, attachments: present(event.attachments) }];
    case 'waiting':
    case 'running':
    case 'stopped':
    case 'failed':
      return presentStatus(event, precedingId, view);
    case 'error':
      return ['error_message', { error_type: event.errorType, content: describeError(event, view) }];
    case 'user_stopped':
      return ['user_stop', {}];
    case 'explained':
    case 'file_fetched':
    case 'files_left_out':
    case 'voice_transcribed':
      return ['explanation', { content: explain(event) }];
    case 'plan_updated':
      return ['plan_update', { steps: event.steps.map(presentStep) }];
    case 'plan_step_added':
      return ['new_plan_step', { step_id: event.stepId, title: event.title }];
    case 'action_prepared':
    case 'tool_finished':
      return ['tool_used', presentTool(event, view)];
    case 'step_repeated':
    case 'model_waiting':
    case 'process_lost':
    case 'budget_warning':
      return [event.type, presentNotice(event)];
    case 'extract_delivered':
      return ['structured_output_result', { success: event.success, value: event.value, error: event.error }];
    case 'decided':
    case 'prepared':
    case 'equipped':
    case 'skill_loaded':
    case 'tools_pinned':
    case 'model_started':
    case 'model_finished':
    case 'model_failed':
    case 'context_cleared':
    case 'compact_started':
    case 'compact_failed':
    case 'compact_part':
    case 'compacted':
    case 'schema_shown':
    case 'tool_started':
    case 'file_delivered':
    case 'attachments_placed':
    case 'site_made':
    case 'extract_started':
    case 'extract_failed':
    case 'extract_incomplete':
    case 'extract_finished':
      return null;
  }
}

/** What clients see of an event; null for internal events. */
export function presentEvent(taskId: string, { seq, atMs, event }: LoggedEvent, view: AttachmentView): PublicEvent | null {
  // Events of one append are a millisecond apart, so the id of the previous one is known without reading it.
  if (isRowsEvent(event) || isPictureEvent(event) || isPrivate(event, view)) return null;
  const payload = payloadOf(event, eventId(taskId, seq - 1, atMs - 1), view);
  if (!payload) return null;
  const [type, content] = payload;
  return { id: eventId(taskId, seq, atMs), type, timestamp: atMs, [type]: content };
}
