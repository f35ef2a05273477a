import type { ToolResult } from '../../rules/context/transcript.ts';

export interface WorkCall {
  tool: string;
  input: unknown;
}

/** What comes between a request and its reply. */
export interface Trouble {
  waitMs?: number;
  /** How often the model asks for a retry before it answers. */
  refusals?: number;
  /** Why the model refuses permanently. */
  failure?: string;
}

/** One reply of the model: a reply without calls ends the turn. */
export interface WorkReply {
  text: string;
  calls: readonly WorkCall[];
  trouble?: Trouble;
  /** Whether the reply arrives word by word. */
  isSlow?: boolean;
}

/** Scripted work, performed reply by reply. */
export interface Work {
  /** The total number of replies; the last one is a summary. */
  readonly plannedReplies: number;
  /** The reply at `place`, counted from 0. `results` are those of the previous replies, in the order of their calls. */
  reply(place: number, results: readonly ToolResult[]): WorkReply;
}
