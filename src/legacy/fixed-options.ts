import { z } from 'zod';
import { optional } from '../api/contract/fields.ts';
import { invalidField } from '@errand/base/fault.ts';

/** An option of the OpenAI SDK that agents leave no choice about. */
interface FixedOption {
  /** What they do anyway; empty if they cannot do it at all. */
  values: readonly unknown[];
  remedy: string;
  /** Whether it only tunes how a response comes about: any other value is ignored, and named like an unknown field. */
  isHint?: true;
}

const ownPace = 'agents decide it for each step';

/** The options by the name that callers send. */
const fixedOptions: Readonly<Record<string, FixedOption>> = {
  background: { values: [true], remedy: 'ask for the response until it is completed', isHint: true },
  conversation: { values: [], remedy: 'continue with previous_response_id' },
  max_output_tokens: { values: [], remedy: 'leave it out, and limit the length with instructions' },
  max_tool_calls: { values: [], remedy: ownPace },
  prompt: { values: [], remedy: 'send the text of the template as input' },
  store: { values: [true], remedy: 'delete the response when it is no longer needed', isHint: true },
  stream: { values: [false], remedy: 'ask for the response until it is completed, or stream the task with task.stream' },
  stream_options: { values: [], remedy: 'stream the task with task.stream', isHint: true },
  temperature: { values: [1], remedy: ownPace, isHint: true },
  tool_choice: { values: ['auto'], remedy: ownPace },
  top_logprobs: { values: [0], remedy: 'leave it out', isHint: true },
  top_p: { values: [1], remedy: ownPace, isHint: true },
  truncation: { values: ['auto'], remedy: 'long conversations are summarized', isHint: true },
};

/** A field of a request that accepts any value; `checkFixed` reports what is wrong with it. */
function field(about: string) {
  return optional(z.unknown()).meta({ description: about, shownAs: {} });
}

/** The fields of these options: all but the value that agents act by is ignored or refused. */
export const fixedFields = {
  background: field('Ignored: every response is made in the background.'),
  conversation: field('Refused.'),
  maxOutputTokens: field('Refused.'),
  maxToolCalls: field('Refused.'),
  parallelToolCalls: field('Permission to call tools at once; agents call one after the other.'),
  prompt: field('Refused.'),
  store: field('Ignored: every response is stored.'),
  stream: field('Only `false`.'),
  streamOptions: field('Ignored.'),
  temperature: field('Ignored.'),
  toolChoice: field('Only `auto`.'),
  topLogprobs: field('Ignored.'),
  topP: field('Ignored.'),
  truncation: field('Ignored: long conversations are summarized.'),
};

function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The refusal of an option that has no effect. */
export function notHere(name: string, remedy: string, values: readonly unknown[] = []): Error {
  const only =
    values.length === 0 ? 'is not available here' : `must be ${values.map((value) => JSON.stringify(value)).join(' or ')} here`;
  return invalidField(name, `${only}; ${remedy}`);
}

/** Throws for the first option that asks for another result than agents give. Returns the options that are ignored. */
export function checkFixed(input: Partial<Record<keyof typeof fixedFields, unknown>>): string[] {
  return Object.entries(input).flatMap(([camel, value]) => {
    const name = toSnakeCase(camel);
    const option = Object.hasOwn(fixedOptions, name) ? fixedOptions[name] : undefined;
    if (!option || value === undefined || option.values.includes(value)) return [];
    if (option.isHint) return [name];
    throw notHere(name, option.remedy, option.values);
  });
}
