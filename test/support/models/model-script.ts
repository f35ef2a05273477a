/** A tool call by the model. A string `input` is sent unchanged, so that broken JSON can be scripted. */
export interface ScriptedCall {
  tool: string;
  input: unknown;
  /** The input as it is streamed, one element per frame; `input` at once if omitted. Only in the chat format of OpenAI. */
  pieces?: readonly string[];
  id?: string;
}

/** The behavior of one reply. Without any field it is an empty text with a regular end. */
export interface Step {
  reasoning?: string;
  /** An array is streamed with one element per frame. */
  text?: string | string[];
  /** Text of this many bytes instead of `text`. */
  textBytes?: number;
  calls?: ScriptedCall[];
  /** `cached` is part of `input`. */
  usage?: { input: number; output: number; cached?: number; written?: number };
  finish?: 'stop' | 'length' | 'filter';
  /** Delay before the first byte. */
  delayMs?: number;
  /** Delay between two frames. */
  frameDelayMs?: number;
  /** What replaces the regular end: the socket dies, nothing more is sent, the body just ends, or garbage is sent. */
  end?: 'cut' | 'stall' | 'missing' | 'garbage';
  /** Frames after which `end` happens; default: after all of them. */
  endAfterFrames?: number;
  /** An HTTP failure with the provider's own error body. */
  status?: number;
  headers?: Record<string, string>;
  /** Exactly this body, with `status` (200 when absent). */
  body?: string;
}

/** Replies for conversations whose last user message contains `match` (default: all). The first matching rule counts. */
export interface Rule {
  match?: string;
  /**
   * How the step is selected. `turn` (default): by the assistant's turns since the last user message, so that a repeated call gets the same
   * reply. `call`: one step per call, so that a failure can be followed by a success.
   */
  order?: 'turn' | 'call';
  /** The last step repeats forever; otherwise the instant reply follows it. */
  repeatsLast?: boolean;
  steps: Step[];
}

/** The state of a conversation, from a request body. */
export interface Position {
  lastUserText: string;
  turns: number;
}

/** The server's record of a call. Times are wall-clock milliseconds. */
export interface CallRecord {
  id: number;
  wire: string;
  path: string;
  headers: Record<string, unknown>;
  body: unknown;
  startedAtMs: number;
  closedAtMs: number | null;
  /** `completed`: the whole reply was sent; `aborted`: the client closed first; `cut`: the server did. */
  outcome: 'open' | 'completed' | 'aborted' | 'cut';
}

/** Chooses steps; the counters of `call` rules live here. */
export class Script {
  #rules: Rule[] = [];
  #served = new Map<Rule, number>();

  get isEmpty(): boolean {
    return this.#rules.length === 0;
  }

  replace(rules: Rule[]): void {
    this.#rules = rules;
    this.#served.clear();
  }

  /** The step for this call, or null for the instant reply. */
  choose(position: Position): Step | null {
    const rule = this.#rules.find((each) => position.lastUserText.includes(each.match ?? ''));
    if (!rule) return null;
    const served = this.#served.get(rule) ?? 0;
    this.#served.set(rule, served + 1);
    const index = rule.order === 'call' ? served : position.turns;
    return rule.steps[index] ?? (rule.repeatsLast ? (rule.steps.at(-1) ?? null) : null);
  }
}
