import { z } from 'zod';
import { optional, optionalTexts } from '../api/contract/fields.ts';
import { missing } from '../api/contract/input-check.ts';
import { Fault, invalidField } from '@errand/base/fault.ts';

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

/** Prefixes for turns that are not the user's, so that the agent can tell them apart. */
function labelOf(role: string | undefined): object[] {
  return role === undefined || role === 'user' ? [] : [{ type: 'text', text: `[${role}]` }];
}

function readTurn({ role, content }: Turn, index: number): object[] {
  const parts = typeof content === 'string' ? [{ text: content } as InputPart] : content;
  return [...labelOf(role), ...parts.map((part, place) => readPart(part, `input[${index}].content[${place}]`))];
}

/** The message parts equivalent to an input. */
export function readResponseInput(input: z.output<typeof responseInput>): object[] {
  if (typeof input === 'string') return [{ type: 'text', text: input }];
  if (input.length === 0) throw new Fault('invalid_argument', `input ${missing}`);
  return input.flatMap(readTurn);
}
