import { z } from 'zod';
import { optional } from '../api/contract/fields.ts';
import { invalidField } from '@errand/base/fault.ts';

/** What agents do anyway, with tools of their own. */
const toolsOfAgents = ['web_search', 'web_search_preview', 'code_interpreter'];

const format = z.object({ type: z.string(), schema: z.unknown().optional() });

/** Options of the OpenAI SDK that change what a response is. */
export const responseOptions = {
  instructions: optional(z.string()).meta({ description: 'For the agent, with those of system and developer items.' }),
  text: optional(z.object({ format: optional(format) })).meta({
    description: '`format` of type `json_schema`: the last output is JSON of this `schema`, in the subset of structured output.',
  }),
  tools: optional(z.array(z.object({ type: optional(z.string()) }))).meta({
    description: 'Web search and the code interpreter, which agents have; no others.',
  }),
  maxOutputTokens: optional(z.unknown()).meta({ description: 'Refused.', shownAs: {} }),
};

type Options = z.output<z.ZodObject<typeof responseOptions>>;

/** Throws for options that would have no effect. */
export function checkOptions({ tools = [], maxOutputTokens, text }: Options): void {
  const wrong = tools.findIndex(({ type = '' }) => !toolsOfAgents.includes(type));
  if (wrong !== -1) {
    const problem = `"${tools[wrong]?.type ?? ''}" is not available here; agents have their own tools, and those of connectors`;
    throw invalidField(`tools[${wrong}].type`, problem);
  }
  if (maxOutputTokens !== undefined) throw invalidField('max_output_tokens', 'is not available here; leave it out');
  const type = text?.format?.type ?? 'text';
  if (type !== 'text' && type !== 'json_schema') throw invalidField('text.format.type', 'must be "text" or "json_schema"');
}

/** The schema of the result that a response should end with. */
export function readSchema({ text }: Options): unknown {
  return text?.format?.type === 'json_schema' ? (text.format.schema ?? {}) : undefined;
}
