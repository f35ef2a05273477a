import { addTaints, freshTrust, listTaints, type Trust } from '../egress/trust.ts';
import type { Attachment, LoggedEvent, TaskEvent, UserMessage } from '../events/task-event.ts';
import { trustMessage } from './user-words.ts';

/** The event of a log with which a branch ends, and other words for it if it is a message of the user. */
export interface BranchPoint {
  seq: number;
  text?: string;
}

type Ending = Extract<TaskEvent, { type: 'stopped' }>;

/** What an answer is stored with: the words were paid for in the task that they come from. */
const unpaid = { usage: { input: 0, output: 0, cached: 0 }, cost: 0 };

/** The files of an attachment: slides have several. */
function listBlobs({ blobId, forms }: Attachment): string[] {
  return forms ? [blobId, forms.html.blobId, forms.pptx.blobId] : [blobId];
}

/** The message with which a branch ends: whoever makes the branch sends it, with other words or the same. */
function sendAnew({ authorId: _author, ...message }: UserMessage, text = message.text): UserMessage {
  return { ...message, text };
}

/**
 * Copies the conversation of a log into the first events of a new task: messages, replies, and what configures the task. Steps stay behind,
 * so what the agent had delivered until then comes along as files of the last message, and with it what those steps had read.
 */
export class Branch {
  /** Whether the agent has to answer the last message. */
  isOpen = false;
  readonly #events: TaskEvent[] = [];
  readonly #delivered = new Map<string, Attachment>();
  readonly #blobIds = new Set<string>();
  /** What the agent said since the last message or end of a turn. */
  #said: string[] = [];
  #steps = 0;
  #trust: Trust = freshTrust;

  /** Returns true if the event is the point, or null if a branch cannot end there. */
  add({ seq, event }: LoggedEvent, point: BranchPoint): boolean | null {
    const isPoint = seq === point.seq;
    if (isPoint && event.type !== 'user_message' && event.type !== 'assistant_message') return null;
    this.#copy(isPoint && event.type === 'user_message' ? sendAnew(event, point.text) : event);
    if (isPoint && event.type === 'assistant_message') this.#end({ type: 'stopped', by: 'agent' });
    return isPoint;
  }

  /** Whether a message awaits a file whose bytes an event after the point may name. */
  get isAwaiting(): boolean {
    return this.#events.some((event) => event.type === 'user_message' && event.awaited !== undefined);
  }

  /** Takes an event after the point, which counts only if it brings an awaited file. */
  addLater({ event }: LoggedEvent): void {
    if (event.type === 'file_fetched') this.#attach(event);
  }

  #copy(event: TaskEvent): void {
    switch (event.type) {
      case 'user_message':
        return this.#say(event);
      case 'equipped':
        return void this.#events.push(event);
      case 'assistant_message':
        return this.#reply(event);
      case 'tool_finished':
        this.#trust = addTaints(this.#trust, event.taints ?? []);
        return;
      case 'file_fetched':
        return this.#attach(event);
      case 'stopped':
        return this.#end(event);
      case 'waiting':
      case 'failed':
        return this.#end({ type: 'stopped', by: 'agent' });
      default:
    }
  }

  /** Adds a message without its `traceparent`, whose span belongs to the first task. */
  #say({ traceparent: _span, ...message }: UserMessage): void {
    this.#endSpeech();
    this.#trust = trustMessage(this.#trust, message);
    this.#keep(message.attachments);
    this.#events.push(message);
    if (!this.isOpen) this.#events.push({ type: 'running', brief: this.#steps === 0 ? 'Started' : 'Going on' });
    this.isOpen = true;
  }

  /** A file that was fetched belongs to its message in the branch, which need not fetch it again. One that was not is tried once more. */
  #attach({ id, attachment }: Extract<TaskEvent, { type: 'file_fetched' }>): void {
    const at = this.#events.findLastIndex(
      (event) => event.type === 'user_message' && event.awaited?.some((file) => file.id === id),
    );
    const message = this.#events[at];
    if (message?.type !== 'user_message' || attachment === null) return;
    const { awaited = [], attachments = [], ...rest } = message;
    const left = awaited.filter((file) => file.id !== id);
    this.#keep([attachment]);
    this.#events[at] = {
      ...rest,
      attachments: [...attachments, attachment],
      ...(left.length > 0 && { awaited: left }),
    };
  }

  #reply({ text, attachments = [] }: Extract<TaskEvent, { type: 'assistant_message' }>): void {
    if (!this.isOpen) return;
    if (text.trim() !== '') this.#said.push(text);
    for (const attachment of attachments) this.#delivered.set(attachment.filename, attachment);
    this.#keep(attachments);
    this.#events.push({ type: 'assistant_message', text, ...(attachments.length > 0 && { attachments }) });
  }

  /** Models read everything said between two messages as one answer. */
  #endSpeech(): void {
    if (this.#said.length === 0) return;
    this.#steps += 1;
    const parts = [{ type: 'text' as const, text: this.#said.join('\n\n') }];
    this.#events.push({ type: 'model_finished', step: this.#steps, parts, ...unpaid });
    this.#said = [];
  }

  #end(ending: Ending): void {
    if (!this.isOpen) return;
    this.#endSpeech();
    this.#events.push(ending);
    this.isOpen = false;
  }

  #keep(attachments: readonly Attachment[] = []): void {
    for (const id of attachments.flatMap(listBlobs)) this.#blobIds.add(id);
  }

  /** Files that the message has itself are newer than what was delivered before it. */
  #withDelivered(message: UserMessage): UserMessage {
    const { attachments: own = [] } = message;
    const names = new Set(own.map(({ filename }) => filename));
    const files = [...this.#delivered.values()].filter(({ filename }) => !names.has(filename));
    const brought = files.map(
      ({ forms: _forms, ...file }): Attachment => ({ ...file, kind: file.kind === 'slides' ? 'file' : file.kind }),
    );
    const attachments = [...own, ...brought];
    const inherited = listTaints(this.#trust).length > 0 ? { inherited: this.#trust } : {};
    return { ...message, ...inherited, ...(attachments.length > 0 && { attachments }) };
  }

  /** The events of the new task; the schema of a result is only that of its last message. */
  get events(): TaskEvent[] {
    const last = this.#events.findLastIndex(({ type }) => type === 'user_message');
    return this.#events.map((event, index) => {
      if (event.type !== 'user_message') return event;
      if (index === last) return this.#withDelivered(event);
      const { outputSchema: _schema, ...message } = event;
      return message;
    });
  }

  /** The bytes that these events name. */
  get blobIds(): string[] {
    return [...this.#blobIds];
  }
}
