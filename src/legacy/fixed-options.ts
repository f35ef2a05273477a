import { z } from 'zod';
import { optional } from '../api/contract/fields.ts';
import { invalidField } from '@errand/base/fault.ts';

/** An option of the OpenAI SDK that agents leave no choice about. */
interface FixedOption {
  /** What they do anyway; empty if they cannot do it at all. */
  values: readonly unknown[];
  remedy: string;
}

const ownPace = 'agents decide it for each step';

/** By the name that callers send. */
const fixedOptions: Readonly<Record<string, FixedOption>> = {
  background: { values: [true], remedy: 'ask for the response until it is completed' },
  conversation: { values: [], remedy: 'continue with previous_response_id' },
  max_output_tokens: { values: [], remedy: 'leave it out, and limit the length with instructions' },
  max_tool_calls: { values: [], remedy: ownPace },
  prompt: { values: [], remedy: 'send the text of the template as input' },
  store: { values: [true], remedy: 'delete the response when it is no longer needed' },
  stream: { values: [false], remedy: 'ask for the response until it is completed, or stream the task with task.stream' },
  stream_options: { values: [], remedy: 'stream the task with task.stream' },
  temperature: { values: [1], remedy: ownPace },
  tool_choice: { values: ['auto'], remedy: ownPace },
  top_logprobs: { values: [0], remedy: 'leave it out' },
  top_p: { values: [1], remedy: ownPace },
  truncation: { values: ['auto'], remedy: 'long conversations are summarized' },
};

/** In a request, with any value: `checkFixed` says what is wrong with it. */
function field(about: string) {
  return optional(z.unknown()).meta({ description: about, shownAs: {} });
}

/** The fields of these options; all but the value that agents act by is refused. */
export const fixedFields = {
  background: field('Only `true`, which is how every response is made.'),
  conversation: field('Refused.'),
  maxOutputTokens: field('Refused.'),
  maxToolCalls: field('Refused.'),
  parallelToolCalls: field('Permission to call tools at once; agents call one after the other.'),
  prompt: field('Refused.'),
  store: field('Only `true`.'),
  stream: field('Only `false`.'),
  streamOptions: field('Refused.'),
  temperature: field('Only `1`.'),
  toolChoice: field('Only `auto`.'),
  topLogprobs: field('Only `0`.'),
  topP: field('Only `1`.'),
  truncation: field('Only `auto`: long conversations are summarized.'),
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

/** Throws for the first option that asks for something else than agents do. */
export function checkFixed(input: Partial<Record<keyof typeof fixedFields, unknown>>): void {
  for (const [camel, value] of Object.entries(input)) {
    const name = toSnakeCase(camel);
    const option = Object.hasOwn(fixedOptions, name) ? fixedOptions[name] : undefined;
    if (option && value !== undefined && !option.values.includes(value)) throw notHere(name, option.remedy, option.values);
  }
}
