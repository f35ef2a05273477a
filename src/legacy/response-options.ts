import { z } from 'zod';
import { optional } from '../api/contract/fields.ts';
import { invalidField } from '@errand/base/fault.ts';
import { metadataField } from '../api/tasks/metadata-field.ts';
import { checkFixed, fixedFields, notHere } from './fixed-options.ts';

const format = z.object({ type: z.string(), schema: z.unknown().optional() });

/** Options of the OpenAI SDK that change what a response is. */
export const responseOptions = {
  instructions: optional(z.string()).meta({ description: 'For the agent, with those of system and developer items.' }),
  text: optional(z.object({ format: optional(format), verbosity: optional(z.string()) })).meta({
    description: '`format` of type `json_schema`: the last output is JSON of this `schema`, in the subset of structured output.',
  }),
  tools: optional(z.array(z.record(z.string(), z.unknown()))).meta({
    description: 'Web search and the code interpreter, which agents have; no others, and without options.',
  }),
  reasoning: optional(z.record(z.string(), z.unknown())).meta({
    description: 'Refused, unless empty: `model` selects a profile.',
  }),
  include: optional(z.array(z.unknown())).meta({ description: 'Refused, unless empty.' }),
  metadata: metadataField.meta({
    description: 'Attached to the task, at most 16 keys; a response that continues a task can only repeat what the task has.',
  }),
  ...fixedFields,
};

type Options = z.output<z.ZodObject<typeof responseOptions>>;

/** Whether an option is as if it were left out. */
function isUnset(value: unknown): boolean {
  return value === undefined || value === null;
}

/** A container that differs from the workspace of the task. */
function isOwnContainer(container: unknown): boolean {
  const { type, ...rest } = typeof container === 'object' && container !== null ? (container as Record<string, unknown>) : {};
  return !isUnset(container) && (type !== 'auto' || !Object.values(rest).every(isUnset));
}

/** What agents do anyway, with tools of their own: the options of each tool that ask for nothing else. */
const toolsOfAgents: Readonly<Record<string, Readonly<Record<string, (value: unknown) => boolean>>>> = {
  web_search: { search_context_size: () => true },
  web_search_preview: { search_context_size: () => true },
  code_interpreter: { container: (value) => !isOwnContainer(value) },
};

function checkTool({ type, ...options }: Record<string, unknown>, place: string): void {
  const name = typeof type === 'string' ? type : '';
  const known = Object.hasOwn(toolsOfAgents, name) ? toolsOfAgents[name] : undefined;
  if (!known) {
    const problem = `"${name.slice(0, 50).toWellFormed()}" is not available here; agents have their own tools, and those of connectors`;
    throw invalidField(`${place}.type`, problem);
  }
  for (const [option, value] of Object.entries(options)) {
    const isFine = Object.hasOwn(known, option) ? known[option] : undefined;
    if (!isUnset(value) && isFine?.(value) !== true)
      throw notHere(`${place}.${option.slice(0, 50).toWellFormed()}`, 'agents use their tools as they need');
  }
}

/** Throws for options that would have no effect. */
export function checkOptions({ tools = [], text, reasoning = {}, include = [], ...fixed }: Options): void {
  checkFixed(fixed);
  for (const [index, tool] of tools.entries()) checkTool(tool, `tools[${index}]`);
  const type = text?.format?.type ?? 'text';
  if (type !== 'text' && type !== 'json_schema')
    throw notHere('text.format.type', 'describe a json_object with json_schema', ['text', 'json_schema']);
  const verbosity = text?.verbosity ?? 'medium';
  if (verbosity !== 'medium') throw notHere('text.verbosity', 'ask for it in instructions', ['medium']);
  const [effort] = Object.entries(reasoning).find(([, value]) => !isUnset(value)) ?? [];
  if (effort !== undefined) throw notHere(`reasoning.${effort.slice(0, 50).toWellFormed()}`, 'select a profile with model');
  if (include.length > 0) throw notHere('include[0]', 'leave it out');
}

/** The schema of the result that a response should end with. */
export function readSchema({ text }: Options): unknown {
  return text?.format?.type === 'json_schema' ? (text.format.schema ?? {}) : undefined;
}
