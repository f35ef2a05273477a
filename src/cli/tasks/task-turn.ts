import { type ExitCode, exitCode } from '../exit-code.ts';
import type { TaskEvent } from '../transport/operations.ts';

/** The outcome of a request for structured output. */
export interface StructuredOutput {
  success: boolean;
  value: unknown;
  error: string | null;
}

/** The state of the newest turn of a task, from the events since the last user message. */
export class TaskTurn {
  lastEventId: string | null = null;
  status = 'running';
  /** The newest reply. */
  message: string | null = null;
  question: string | null = null;
  error: string | null = null;
  output: StructuredOutput | null = null;

  /** True when nothing more happens until someone sends a message. */
  get isOver(): boolean {
    return this.status !== 'running';
  }

  /** The exit code of a command that followed the turn to its end. */
  get exit(): ExitCode {
    if (this.status === 'waiting') return exitCode.asked;
    return this.status === 'stopped' ? exitCode.done : exitCode.failed;
  }

  /** Takes the next event in log order. */
  read(event: TaskEvent): void {
    this.lastEventId = event.id;
    if (event.user_message) this.#begin();
    if (event.assistant_message) this.message = event.assistant_message.content;
    if (event.error_message) this.error = event.error_message.content;
    if (event.status_update) {
      this.status = event.status_update.agent_status;
      this.question = event.status_update.status_detail?.waiting_description ?? null;
    }
    if (event.structured_output_result) {
      const { success, value, error = null } = event.structured_output_result;
      this.output = { success, value, error };
    }
  }

  #begin(): void {
    this.message = null;
    this.question = null;
    this.error = null;
    this.output = null;
  }
}
