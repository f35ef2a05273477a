import { isJsonObject } from '@errand/base/json-object.ts';

/** One event of a reply of the chat protocol, as far as it is used. What it does not say is null or absent. */
export interface ChatFrame {
  choices: readonly { delta?: ChatDelta | null; finish_reason?: string | null }[];
  usage?: ChatUsage | null;
  error?: unknown;
}

export interface ChatDelta {
  content?: string | readonly ContentPart[] | null;
  reasoning_content?: string | null;
  reasoning?: string | null;
  /** Some servers send `false`. */
  refusal?: unknown;
  tool_calls?: readonly CallDelta[] | null;
}

export interface ContentPart {
  type: string;
  text?: unknown;
  thinking?: unknown;
}

export interface CallDelta {
  index?: number | null;
  id?: string | null;
  function: { name?: string | null; arguments?: string | null };
  extra_content?: { google?: { thought_signature?: string | null } | null } | null;
}

export interface ChatUsage {
  prompt_tokens?: number | null;
  completion_tokens?: number | null;
  prompt_tokens_details?: { cached_tokens?: number | null } | null;
  completion_tokens_details?: { reasoning_tokens?: number | null } | null;
}

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isNumber: Check = (value) => typeof value === 'number';

function optional(check: Check): Check {
  return (value) => value === undefined || value === null || check(value);
}

function listOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check);
}

function having(fields: Record<string, Check>): Check {
  const checks = Object.entries(fields);
  return (value) => isJsonObject(value) && checks.every(([name, check]) => check(value[name]));
}

const isContentPart = having({ type: isText });
const isCall = having({
  index: optional(isNumber),
  id: optional(isText),
  function: having({ name: optional(isText), arguments: optional(isText) }),
  extra_content: optional(having({ google: optional(having({ thought_signature: optional(isText) })) })),
});
const isDelta = having({
  content: optional((value) => isText(value) || listOf(isContentPart)(value)),
  reasoning_content: optional(isText),
  reasoning: optional(isText),
  tool_calls: optional(listOf(isCall)),
});
const isUsage = having({
  prompt_tokens: optional(isNumber),
  completion_tokens: optional(isNumber),
  prompt_tokens_details: optional(having({ cached_tokens: optional(isNumber) })),
  completion_tokens_details: optional(having({ reasoning_tokens: optional(isNumber) })),
});
const isReply = having({
  choices: listOf(having({ delta: optional(isDelta), finish_reason: optional(isText) })),
  usage: optional(isUsage),
});

/** The frame that an event contains; null if it is none. An error frame needs no choices. */
export function readFrame(json: string): ChatFrame | null {
  const value = parse(json);
  if (isReply(value)) return value as ChatFrame;
  return isJsonObject(value) && isJsonObject(value['error']) ? { choices: [], error: value['error'] } : null;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return null;
  }
}
