import { z } from 'zod';

export const previewPieceBytes = 64 * 1024;
/** Who asks says it again after this, as messages may be lost. */
export const askAgainMs = 1_000;
/** After so many times without an answer, nobody is there. */
export const silentTurns = 3;

const id = z.string().max(64);
const headers = z.record(z.string(), z.string());
const at = z.int().min(0);

/** What one who looks at a server says to the worker that holds its task. */
const previewAsk = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('list'), id }),
  z.object({
    kind: z.literal('ask'),
    id,
    port: z.int().min(1).max(65_535),
    method: z.string(),
    path: z.string(),
    headers,
    /** In Base64. */
    body: z.string().nullable(),
  }),
  /** The part of the answer after those that have come: the head has number 0. */
  z.object({ kind: z.literal('more'), id, at }),
  z.object({ kind: z.literal('drop'), id }),
]);
export type PreviewAsk = z.output<typeof previewAsk>;

const previewProblem = z.enum(['nothing', 'busy', 'broken', 'elsewhere']);
/** Why there is no answer: nothing listens, too many requests, no HTTP or one that broke off, or a redirect to another place. */
export type PreviewProblem = z.output<typeof previewProblem>;

/** What the worker says back. */
const previewAnswer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('working') }),
  z.object({ kind: z.literal('ports'), ports: z.array(z.int()) }),
  z.object({ kind: z.literal('head'), at, status: z.int().min(200).max(599), headers }),
  z.object({ kind: z.literal('piece'), at, data: z.string(), isLast: z.boolean() }),
  z.object({ kind: z.literal('problem'), at, why: previewProblem }),
]);
export type PreviewAnswer = z.output<typeof previewAnswer>;

function read<Message>(schema: z.ZodType<Message>, text: string): Message | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

export const readPreviewAsk = (text: string): PreviewAsk | null => read(previewAsk, text);
export const readPreviewAnswer = (text: string): PreviewAnswer | null => read(previewAnswer, text);
