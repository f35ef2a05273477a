import type { Connection } from './connection.ts';
import type { Operations, TaskEvent } from './operations.ts';
import { type StreamOptions, streamTask } from './task-stream.ts';

type EventOf<Type extends TaskEvent['type']> = Extract<TaskEvent, { type: Type }>;

export type Attachment = EventOf<'assistant_message'>['assistant_message']['attachments'][number];
export type StructuredOutput = EventOf<'structured_output_result'>['structured_output_result'];

/** The state of a task at the end of a turn. */
export interface TaskOutcome {
  taskId: string;
  /** `waiting` if the agent has asked a question. */
  status: 'stopped' | 'waiting' | 'error';
  /** The agent's last message in this turn: its answer, its question, or the error. */
  message: string;
  attachments: Attachment[];
  /** Present if the turn had an output schema. */
  structuredOutput: StructuredOutput | null;
  /** The last event, after which `streamTask` can resume. */
  lastEventId: string;
}

export interface WaitOptions extends StreamOptions {
  /** Called with every event while waiting. */
  onEvent?(event: TaskEvent): void;
}

/** What is known about the current turn. */
class Turn {
  status: TaskOutcome['status'] | 'running' = 'running';
  message = '';
  attachments: Attachment[] = [];
  structuredOutput: StructuredOutput | null = null;
  lastEventId = '';

  read(event: TaskEvent): void {
    this.lastEventId = event.id;
    if (event.type === 'user_message') this.#begin();
    else if (event.type === 'assistant_message') {
      this.message = event.assistant_message.content;
      this.attachments = event.assistant_message.attachments;
    } else if (event.type === 'error_message') this.message = event.error_message.content;
    else if (event.type === 'structured_output_result') this.structuredOutput = event.structured_output_result;
    else if (event.type === 'status_update') this.#note(event.status_update);
  }

  #begin(): void {
    this.message = '';
    this.attachments = [];
    this.structuredOutput = null;
  }

  #note({ agent_status, status_detail }: EventOf<'status_update'>['status_update']): void {
    this.status = agent_status;
    if (agent_status === 'waiting') this.message = status_detail.waiting_description ?? this.message;
  }
}

/** The log may continue after the end of an earlier turn: only its newest event shows the current status. */
async function isNewest(connection: Connection, taskId: string, eventId: string): Promise<boolean> {
  const input = { task_id: taskId, limit: 1, verbose: true };
  const { messages } = (await connection.call('task.listMessages', 'GET', input)) as Operations['task.listMessages']['response'];
  return messages[0]?.id === eventId;
}

/** Waits until the task's turn is over: stopped, failed, or waiting for an answer. */
export async function waitForTask(connection: Connection, taskId: string, options: WaitOptions): Promise<TaskOutcome> {
  const turn = new Turn();
  // With all events, the newest one read can be compared with the newest in the log.
  for await (const item of streamTask(connection, taskId, { ...options, verbose: true })) {
    if (item.kind !== 'event') continue;
    turn.read(item.event);
    options.onEvent?.(item.event);
    const { status, message, attachments, structuredOutput, lastEventId } = turn;
    if (status === 'running' || !(await isNewest(connection, taskId, lastEventId))) continue;
    return { taskId, status, message, attachments, structuredOutput, lastEventId };
  }
  throw new Error('a stream of a task has no end');
}
