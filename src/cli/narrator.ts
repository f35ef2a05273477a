import type { StreamItem } from './connection.ts';
import { LiveLine } from './live-line.ts';
import type { TaskEvent } from './operations.ts';
import { terminalLine, terminalText, printNote } from './output.ts';
import type { Shell } from './shell.ts';

const marks: Readonly<Record<string, string>> = { todo: '·', doing: '→', done: '✓', failed: '✗' };

export interface NarratorOptions {
  /** Where a line goes: standard output when the narration is the result, standard error when it goes along with one. */
  report(line: string): void;
  /** Also what was said: the user's messages, the replies, the structured result. */
  withConversation: boolean;
}

/** Tells the events of a task as they happen, a line each. */
export class Narrator {
  readonly #options: NarratorOptions;
  readonly #shell: Pick<Shell, 'stdout' | 'stderr'>;
  readonly #live: LiveLine;
  /** Steps of the plan as they were told last. */
  #steps = new Map<string, string>();
  #lastSaid: string | null = null;
  #draft = { step: 0, attempt: 0, text: '' };

  constructor(shell: Pick<Shell, 'stdout' | 'stderr'>, options: NarratorOptions) {
    this.#shell = shell;
    this.#options = options;
    this.#live = new LiveLine(shell.stderr);
  }

  onItem(item: StreamItem): void {
    if (item.kind === 'delta') return this.#showDraft(item.step, item.attempt, item.text);
    if (item.kind === 'output') return this.#live.show(item.text);
    this.#live.clear();
    for (const line of this.#describe(item.event)) this.#options.report(line);
  }

  onTrouble(problem: string): void {
    this.#live.clear();
    printNote(this.#shell, `${terminalLine(problem)}; trying again`);
  }

  /** Takes away what is not meant to stay. */
  end(): void {
    this.#live.clear();
  }

  /** A later attempt at the same step starts over. */
  #showDraft(step: number, attempt: number, text: string): void {
    const isSame = this.#draft.step === step && this.#draft.attempt === attempt;
    this.#draft = { step, attempt, text: isSame ? this.#draft.text + text : text };
    this.#live.show(this.#draft.text);
  }

  #describe(event: TaskEvent): string[] {
    if (event.plan_update) return this.#describePlan(event.plan_update.steps);
    if (event.tool_used) {
      const { brief, tool, status } = event.tool_used;
      return [`• ${terminalLine(brief || tool)}${status === 'error' ? ' (failed)' : ''}`];
    }
    if (event.explanation) return [terminalLine(event.explanation.content, 1000)];
    if (event.error_message) return [`error: ${terminalLine(event.error_message.content, 1000)}`];
    if (event.type === 'user_stop') return ['stopped by the user'];
    return this.#options.withConversation ? this.#describeConversation(event) : [];
  }

  #describeConversation(event: TaskEvent): string[] {
    const said = event.assistant_message?.content;
    // A question is usually also the agent's last reply.
    const isRepeated = event.status_update?.status_detail?.waiting_description === this.#lastSaid;
    this.#lastSaid = said ?? this.#lastSaid;
    return event.status_update && isRepeated ? [] : describeConversation(event);
  }

  /** Only what changed since the plan was told last. */
  #describePlan(steps: readonly { status: string; title: string }[]): string[] {
    const news = steps.filter(({ title, status }) => this.#steps.get(title) !== status);
    this.#steps = new Map(steps.map(({ title, status }) => [title, status]));
    return news.map(({ title, status }) => `${marks[status] ?? '·'} ${terminalLine(title)}`);
  }
}

function describeConversation(event: TaskEvent): string[] {
  if (event.user_message) {
    return terminalText(event.user_message.content)
      .split('\n')
      .map((line) => `> ${line}`);
  }
  if (event.assistant_message) return ['', terminalText(event.assistant_message.content), ''];
  if (event.structured_output_result) {
    const { success, value, error } = event.structured_output_result;
    return [success ? `result: ${JSON.stringify(value)}` : `no result: ${terminalLine(error ?? 'unknown reason')}`];
  }
  const question = event.status_update?.status_detail?.waiting_description;
  return question === undefined ? [] : ['', `? ${terminalText(question)}`];
}
