import { z } from 'zod';
import { optional, optionalTexts } from '../api/contract/fields.ts';
import { invalidField, missingField } from '@errand/base/fault.ts';

/** A content part in the format of the OpenAI SDK (docs/reference/wire-format.md#responses). */
const inputPart = z.object({
  ...optionalTexts('type', 'text', 'file_id', 'file_url', 'file_data', 'filename'),
  image_url: optional(z.union([z.string(), z.object({ url: z.string() })])),
});

const turn = z.object({ role: optional(z.string()), content: z.union([z.string(), z.array(inputPart)]) });

export const responseInput = z.union([z.string(), z.array(turn)]);

type InputPart = z.output<typeof inputPart>;
type Turn = z.output<typeof turn>;

function readImage(image: NonNullable<InputPart['image_url']>): object {
  const url = typeof image === 'string' ? image : image.url;
  if (!url.startsWith('data:')) return { type: 'file', file_url: url };
  const extension = /^data:image\/([a-z0-9]+)/.exec(url)?.[1] ?? 'png';
  return { type: 'file', file_data: url, filename: `image.${extension}` };
}

function readPart(part: InputPart, field: string): object {
  const { text, image_url, file_id, file_url, file_data, filename } = part;
  if (text !== undefined) return { type: 'text', text };
  if (image_url !== undefined) return readImage(image_url);
  const source = { ...(file_id && { file_id }), ...(file_url && { file_url }), ...(file_data && { file_data }) };
  if (Object.keys(source).length !== 1)
    throw invalidField(field, 'must have one of text, file_id, file_url, file_data, image_url');
  return { type: 'file', ...source, ...(filename && { filename }) };
}

interface PlacedPart {
  part: object;
  /** Name of the field in the request, for errors. */
  field: string;
}

/** Prefixes for turns of an assistant, so that the agent can tell them from the user's. */
function labelOf(role: string | undefined, field: string): PlacedPart[] {
  return role === undefined || role === 'user' ? [] : [{ part: { type: 'text', text: `[${role}]` }, field }];
}

function readTurn({ role, content }: Turn, index: number): PlacedPart[] {
  const place = `input[${index}]`;
  if (typeof content === 'string')
    return [...labelOf(role, place), { part: { type: 'text', text: content }, field: `${place}.content` }];
  const parts = content.map((part, position) => {
    const field = `${place}.content[${position}]`;
    return { part: readPart(part, field), field };
  });
  return [...labelOf(role, place), ...parts];
}

function isInstruction({ role }: Turn): boolean {
  return role === 'system' || role === 'developer';
}

function readInstruction({ content }: Turn): string[] {
  return typeof content === 'string' ? [content] : content.flatMap(({ text }) => text ?? []);
}

/** An input as parts of a message, and what its system items say. */
export interface ReadInput {
  parts: PlacedPart[];
  instructions: string[];
}

/** The message that is equivalent to an input. */
export function readResponseInput(input: z.output<typeof responseInput>): ReadInput {
  if (typeof input === 'string') return { parts: [{ part: { type: 'text', text: input }, field: 'input' }], instructions: [] };
  if (input.length === 0) throw missingField('input');
  return {
    parts: input.flatMap((item, index) => (isInstruction(item) ? [] : readTurn(item, index))),
    instructions: input.filter(isInstruction).flatMap(readInstruction),
  };
}
