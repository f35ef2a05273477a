import type { EventOf, ToolCall } from './row.ts';

/** A finished call, with a key of its own if a model has used its id before. */
export function callOf({ id, timestamp, tool_used: used }: EventOf<'tool_used'>, isRepeated: boolean): ToolCall {
  return {
    key: isRepeated ? `${used.action_id}~${id}` : used.action_id,
    actionId: used.action_id,
    tool: used.tool,
    state: used.status,
    brief: used.brief,
    action: used.message.action,
    param: used.message.param,
    output: used.description,
    pictures: used.pictures ?? [],
    isCut: false,
    atMs: timestamp,
  };
}
