import { z } from 'zod';
import { optional } from '../api/contract/fields.ts';
import { Fault, invalidField } from '@errand/base/fault.ts';
import { handleUnknown, type UnknownFields } from '../api/contract/unknown-fields.ts';
import { readMetadata } from '../api/tasks/metadata-field.ts';
import { maxMetadataKeys } from '../rules/tasks/task-metadata.ts';
import { checkFixed, fixedFields, notHere } from './fixed-options.ts';
import { ownMetadata } from './response-object.ts';

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
    description: 'Ignored: `model` selects a profile.',
  }),
  include: optional(z.array(z.unknown())).meta({ description: 'Ignored.' }),
  metadata: optional(z.unknown()).meta({
    description: 'Attached to a new task, at most 16 keys; what does not fit is ignored.',
    shownAs: { type: 'object' },
  }),
  ...fixedFields,
};

type Options = z.output<z.ZodObject<typeof responseOptions>>;

/** Whether an option is as if it were left out. */
function isUnset(value: unknown): boolean {
  return value === undefined || value === null;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** A container that differs from the workspace of the task. */
function isOwnContainer(container: unknown): boolean {
  const { type, ...rest } = typeof container === 'object' && container !== null ? (container as Record<string, unknown>) : {};
  return !isUnset(container) && (type !== 'auto' || !Object.values(rest).every((value) => isUnset(value) || isEmptyList(value)));
}

/** What agents do anyway, with tools of their own: the options of each tool that ask for nothing else. */
const toolsOfAgents: Readonly<Record<string, Readonly<Record<string, (value: unknown) => boolean>>>> = {
  web_search: { search_context_size: () => true, user_location: () => true },
  web_search_preview: { search_context_size: () => true, user_location: () => true },
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

/** Throws for options that ask for another result than agents give; those that only tune how it comes about are ignored, and named. */
export function checkOptions({ tools = [], text, reasoning = {}, include = [], ...fixed }: Options, context: UnknownFields) {
  const ignored = checkFixed(fixed);
  for (const [index, tool] of tools.entries()) checkTool(tool, `tools[${index}]`);
  const type = text?.format?.type ?? 'text';
  if (type !== 'text' && type !== 'json_schema')
    throw notHere('text.format.type', 'describe a json_object with json_schema', ['text', 'json_schema']);
  if ((text?.verbosity ?? 'medium') !== 'medium') ignored.push('text.verbosity');
  if (Object.values(reasoning).some((value) => !isUnset(value))) ignored.push('reasoning');
  if (include.length > 0) ignored.push('include');
  handleUnknown(ignored, context);
}

function isReadable(key: string, value: unknown): boolean {
  try {
    return value !== null && Object.keys(readMetadata({ [key]: value })).length > 0;
  } catch (error) {
    if (error instanceof Fault) return false;
    throw error;
  }
}

/**
 * What of `metadata` is attached to a task: clients attach more than tasks take, and send back what an earlier response had.
 * @param known the metadata of the task that is continued, which stays as it is
 */
export function keepMetadata({ metadata }: Options, known: Readonly<Record<string, string>> | null, context: UnknownFields) {
  if (isUnset(metadata)) return {};
  if (typeof metadata !== 'object' || Array.isArray(metadata)) {
    handleUnknown(['metadata'], context);
    return {};
  }
  const entries = Object.entries(metadata as Record<string, unknown>).filter(([key]) => !ownMetadata.includes(key));
  const fits = (key: string, value: unknown) => (known ? known[key] === value : isReadable(key, value));
  const kept = entries.filter(([key, value]) => fits(key, value)).slice(0, maxMetadataKeys);
  if (kept.length < entries.length) handleUnknown(['metadata'], context);
  return Object.fromEntries(kept);
}

/** The schema of the result that a response should end with. */
export function readSchema({ text }: Options): unknown {
  return text?.format?.type === 'json_schema' ? (text.format.schema ?? {}) : undefined;
}
