import { cleanLine, cleanText } from '@errand/base/text/terminal-text.ts';
import { LiveLine } from '../output/live-line.ts';
import { printNote } from '../output/print.ts';
import type { Shell } from '../shell.ts';
import type { StreamItem } from '../transport/connection.ts';
import type { TaskEvent } from '../transport/operations.ts';

const marks: Readonly<Record<string, string>> = { todo: '·', doing: '→', done: '✓', failed: '✗' };

/** What to print of a task, and where. */
export interface ProgressOptions {
  /** Prints a line: on standard output if the progress is the result, on standard error if it accompanies one. */
  print(line: string): void;
  /** Whether to include messages, replies and structured output. */
  withConversation: boolean;
}

/** Prints the events of a task as they happen, one per line. */
export class Progress {
  readonly #options: ProgressOptions;
  readonly #shell: Pick<Shell, 'stdout' | 'stderr'>;
  readonly #live: LiveLine;
  /** The steps of the plan as they were printed last. */
  #steps = new Map<string, string>();
  #lastSaid: string | null = null;
  #draft = { step: 0, attempt: 0, text: '' };

  constructor(shell: Pick<Shell, 'stdout' | 'stderr'>, options: ProgressOptions) {
    this.#shell = shell;
    this.#options = options;
    this.#live = new LiveLine(shell.stderr);
  }

  onItem(item: StreamItem): void {
    if (item.kind === 'delta') return this.#showDraft(item.step, item.attempt, item.text);
    if (item.kind === 'output') return this.#live.show(item.text);
    this.#live.clear();
    for (const line of this.#describe(item.event)) this.#options.print(line);
  }

  onTrouble(problem: string): void {
    this.#live.clear();
    printNote(this.#shell, `${cleanLine(problem)}; trying again`);
  }

  /** Removes the live line. */
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
      return [`• ${cleanLine(brief || tool)}${status === 'error' ? ' (failed)' : ''}`];
    }
    if (event.model_waiting) {
      const { provider, next_try_at: nextAt } = event.model_waiting;
      return [`… ${cleanLine(provider)} does not answer; next try at ${new Date(nextAt * 1000).toISOString().slice(11, 19)} UTC`];
    }
    if (event.budget_warning) {
      const { credits, used } = event.budget_warning;
      return [`! ${used} of the ${credits} credits of its budget are used`];
    }
    if (event.step_repeated)
      return [`↻ ${cleanLine(event.step_repeated.tool)} runs again; its worker ended during the first run`];
    if (event.explanation) return [cleanLine(event.explanation.content, 1000)];
    if (event.error_message) return [`error: ${cleanLine(event.error_message.content, 1000)}`];
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

  /** Only what has changed since the plan was printed last. */
  #describePlan(steps: readonly { status: string; title: string }[]): string[] {
    const news = steps.filter(({ title, status }) => this.#steps.get(title) !== status);
    this.#steps = new Map(steps.map(({ title, status }) => [title, status]));
    return news.map(({ title, status }) => `${marks[status] ?? '·'} ${cleanLine(title)}`);
  }
}

function describeConversation(event: TaskEvent): string[] {
  if (event.user_message) {
    return cleanText(event.user_message.content)
      .split('\n')
      .map((line) => `> ${line}`);
  }
  if (event.assistant_message) return ['', cleanText(event.assistant_message.content), ''];
  if (event.structured_output_result) {
    const { success, value, error } = event.structured_output_result;
    return [success ? `result: ${JSON.stringify(value)}` : `no result: ${cleanLine(error ?? 'unknown reason')}`];
  }
  const question = event.status_update?.status_detail?.waiting_description;
  return question === undefined ? [] : ['', `? ${cleanText(question)}`];
}
