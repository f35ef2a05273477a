import type { ToolResult } from '../../rules/context/transcript.ts';

export interface WorkCall {
  tool: string;
  input: unknown;
}

/** One reply of the model: a reply without calls ends the turn. */
export interface WorkReply {
  text: string;
  calls: readonly WorkCall[];
}

/** Something the user spelled out, to be done reply by reply. */
export interface Work {
  /** Replies after which it is over; the last one sums up. */
  readonly plannedReplies: number;
  /** The reply at `place`, counted from 0. `results` are those of the replies before, in the order of their calls. */
  reply(place: number, results: readonly ToolResult[]): WorkReply;
}
