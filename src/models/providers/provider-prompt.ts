import { isJsonObject } from '@errand/base/json-object.ts';
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FilePart,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultPart,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import type { ModelPart, ProviderData } from '../../rules/events/task-event.ts';
import { describeEntry } from '../../rules/messages/attachment-place.ts';
import type { ToolResult, TranscriptEntry, UserEntry } from '../../rules/context/transcript.ts';
import { reminderMark } from '../../rules/context/plan-reminder.ts';
import { listPictures, listResultPictures, type PictureRef } from '../../rules/context/shown-pictures.ts';
import type { ModelRequest, ShownImage, ToolDefinition } from '../model.ts';

type ImagePart = Pick<LanguageModelV4FilePart, 'type' | 'mediaType'> & { data: { type: 'data'; data: Uint8Array } };
type ResultOutput = LanguageModelV4ToolResultPart['output'];

/** Where a provider accepts images of tool results: in the results, or only in user messages. */
export type PicturePlace = 'results' | 'messages';

/** Provider-specific differences. */
export interface PromptStyle {
  /** Default: in user messages. */
  picturePlace?: PicturePlace;
  /** Whether it makes every field of a tool required by default. */
  assumesStrict?: boolean;
}

interface Showing {
  images: ModelRequest['images'];
  place: PicturePlace;
}

type AssistantContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'];

const longestToolName = 64;

/** Ends a section of the prompt that Anthropic caches; it looks up at most four of these. */
const cacheMarker: SharedV4ProviderOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } };

/** A tool name invented by a model stays in the transcript, and providers reject the whole request for an invalid one. */
function cleanToolName(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, longestToolName) || '_';
}

/** Providers only accept objects as a call's input; anything else is sent as text. */
function wrapInput(input: unknown): unknown {
  return isJsonObject(input) ? input : { invalid_input: input };
}

function withData(provider: ProviderData | undefined): { providerOptions?: SharedV4ProviderOptions } {
  return provider === undefined ? {} : { providerOptions: provider as SharedV4ProviderOptions };
}

/** Google signs even empty texts; elsewhere an empty text is an error. */
function isSendable(part: ModelPart): boolean {
  return part.type !== 'text' || part.text !== '' || part.provider?.['google'] !== undefined;
}

function toAssistantContent(parts: readonly ModelPart[]): AssistantContent {
  return parts.filter(isSendable).map((part) => {
    if (part.type !== 'call') return { type: part.type, text: part.text, ...withData(part.provider) };
    const { id: toolCallId, tool } = part;
    return {
      type: 'tool-call',
      toolCallId,
      toolName: cleanToolName(tool),
      input: wrapInput(part.input),
      ...withData(part.provider),
    };
  });
}

type Images = ModelRequest['images'];

function toImagePart({ mediaType, bytes }: ShownImage): ImagePart {
  return { type: 'file', mediaType, data: { type: 'data', data: bytes } };
}

function listShown(pictures: readonly PictureRef[], images: Images): ImagePart[] {
  return pictures.flatMap(({ blobId }) => {
    const image = images?.get(blobId);
    return image ? [toImagePart(image)] : [];
  });
}

function toOutput(result: ToolResult, shown: readonly ImagePart[]): ResultOutput {
  if (shown.length === 0) return { type: result.isError ? 'error-text' : 'text', value: result.output };
  return { type: 'content', value: [{ type: 'text', text: result.output }, ...shown] };
}

/** The text before images that could not be part of the results. */
const picturesFollow = `${reminderMark} What the tools above have shown, as pictures. It is material, like all results.`;

type ShownPart = ImagePart | { type: 'text'; text: string };

/** Images below their names, for a step may show several of several results. */
function nameShown(result: ToolResult, images: Images): ShownPart[] {
  return listResultPictures(result).flatMap((picture) => {
    const shown = listShown([picture], images);
    return shown.length === 0 ? [] : [{ type: 'text', text: `${picture.name ?? cleanToolName(result.tool)}:` }, ...shown];
  });
}

/** The results of a step, with their images inside, or in a message after them if the provider requires that. */
function toResultMessages(results: readonly ToolResult[], { images, place }: Showing): LanguageModelV4Message[] {
  const isInside = place === 'results';
  const message: LanguageModelV4Message = {
    role: 'tool',
    content: results.map((result) => ({
      type: 'tool-result',
      toolCallId: result.callId,
      toolName: cleanToolName(result.tool),
      output: toOutput(result, isInside ? listShown(listResultPictures(result), images) : []),
    })),
  };
  const behind = isInside ? [] : results.flatMap((result) => nameShown(result, images));
  return behind.length === 0
    ? [message]
    : [message, { role: 'user', content: [{ type: 'text', text: picturesFollow }, ...behind] }];
}

/** A user message with its visible images. */
function toUserMessages(entry: UserEntry, images: Images): LanguageModelV4Message[] {
  const text = describeEntry(entry);
  return text === '' ? [] : [{ role: 'user', content: [{ type: 'text', text }, ...listShown(listPictures(entry), images)] }];
}

/** Messages with calls and results as text. In a request without tools, as for structured output, some providers reject calls. */
function toPlainMessages(entry: TranscriptEntry, { images }: Showing): LanguageModelV4Message[] {
  if (entry.role === 'user') return toUserMessages(entry, images);
  const lines =
    entry.role === 'tool'
      ? entry.results.map(({ tool, output }) => `Result of the tool ${cleanToolName(tool)}:\n${output}`)
      : entry.parts.flatMap((part) => {
          if (part.type === 'reasoning') return [];
          return part.type === 'text'
            ? [part.text]
            : [`Called the tool ${cleanToolName(part.tool)}: ${JSON.stringify(part.input)}`];
        });
  const text = lines.filter((line) => line !== '').join('\n\n');
  if (text === '') return [];
  return [{ role: entry.role === 'tool' ? 'user' : 'assistant', content: [{ type: 'text', text }] }];
}

/** What is the same for all entries of a request. */
export interface EntryStyle extends Showing {
  /** Whether calls and results are written as text. */
  isPlain: boolean;
}

/** How the entries of a request become messages. */
export function entryStyleOf({ images, outputSchema, tools }: ModelRequest, { picturePlace }: PromptStyle): EntryStyle {
  return { images, place: picturePlace ?? 'messages', isPlain: outputSchema !== undefined && tools.length === 0 };
}

/** One entry in the provider's format; what becomes of it depends on no other entry. */
export function toMessages(entry: TranscriptEntry, showing: EntryStyle): LanguageModelV4Message[] {
  if (showing.isPlain) return toPlainMessages(entry, showing);
  if (entry.role === 'tool') return toResultMessages(entry.results, showing);
  if (entry.role === 'user') return toUserMessages(entry, showing.images);
  const content = toAssistantContent(entry.parts);
  return content.length === 0 ? [] : [{ role: 'assistant', content }];
}

function toTool({ name, description, inputSchema }: ToolDefinition, { assumesStrict }: PromptStyle): LanguageModelV4FunctionTool {
  return { type: 'function', name, description, inputSchema, ...(assumesStrict && { strict: false }) };
}

/** Asks for JSON where the provider does not enforce the schema. */
export function askForJson(schema: Record<string, unknown>): LanguageModelV4Message {
  const text = `Reply with one JSON value and nothing else. It must conform to this JSON Schema:\n${JSON.stringify(schema)}`;
  return { role: 'user', content: [{ type: 'text', text }] };
}

/** How the schema of a structured reply is enforced: by the provider, or by requesting JSON with the schema in the prompt. */
export type SchemaMode = 'native' | 'asked';

function toReplyFormat(
  request: ModelRequest,
  mode: SchemaMode,
): Pick<LanguageModelV4CallOptions, 'responseFormat' | 'toolChoice'> {
  if (!request.outputSchema) return {};
  const schema = mode === 'native' ? { schema: request.outputSchema } : {};
  return { responseFormat: { type: 'json', ...schema }, ...(request.tools.length > 0 && { toolChoice: { type: 'none' } }) };
}

/**
 * The end of this prompt, and that of the previous one, which is looked up by position: a step with many calls would push it out of range
 * of the new end.
 */
function markCacheEnds(prompt: LanguageModelV4Prompt, tools: LanguageModelV4FunctionTool[]): void {
  const before = prompt.slice(1, -1).findLast(({ role }) => role !== 'assistant');
  for (const end of [prompt[0], before, prompt.at(-1), tools.at(-1)]) {
    if (end) end.providerOptions = cacheMarker;
  }
}

/**
 * The request in the provider's format. The same transcript always gives the same messages in the same order, so that each call's prompt
 * starts with the whole previous one.
 */
export function toCallOptions(request: ModelRequest, mode: SchemaMode, style: PromptStyle = {}): LanguageModelV4CallOptions {
  const prompt: LanguageModelV4Prompt = request.system === '' ? [] : [{ role: 'system', content: request.system }];
  const entryStyle = entryStyleOf(request, style);
  for (const entry of request.transcript) prompt.push(...toMessages(entry, entryStyle));
  if (request.outputSchema && mode === 'asked') prompt.push(askForJson(request.outputSchema));
  const tools = request.tools.map((tool) => toTool(tool, style));
  markCacheEnds(prompt, tools);
  // After the markers: what changes in the next call is not worth a cache slot.
  if (request.reminder !== undefined) prompt.push({ role: 'user', content: [{ type: 'text', text: request.reminder }] });
  return { prompt, ...(tools.length > 0 && { tools }), ...toReplyFormat(request, mode) };
}
