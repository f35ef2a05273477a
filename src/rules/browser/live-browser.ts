import { z } from 'zod';

/** Position in pixels of the page that the picture shows. */
const place = z.number().min(0).max(4000);
const distance = z.number().min(-4000).max(4000);
const keys =
  /^(?:(?:Control|Shift|Alt|Meta)\+){0,3}(?:Enter|Tab|Backspace|Delete|Escape|Home|End|PageUp|PageDown|Arrow(?:Up|Down|Left|Right)|[A-Za-z0-9])$/;

/** What a person does in the browser of a task. */
export const browserInput = z.discriminatedUnion('do', [
  z.object({
    do: z.literal('click'),
    x: place,
    y: place,
    button: z.enum(['left', 'right']).default('left'),
    count: z.int().min(1).max(3).default(1),
  }),
  z.object({ do: z.literal('scroll'), x: place, y: place, by_x: distance.default(0), by_y: distance }),
  z.object({ do: z.literal('type'), text: z.string().min(1).max(2000) }),
  z.object({ do: z.literal('press'), keys: z.string().max(40).regex(keys, 'is not a key, such as Enter or Control+a') }),
  z.object({ do: z.literal('go'), to: z.enum(['back', 'forward', 'reload']) }),
]);
export type BrowserInput = z.output<typeof browserInput>;

/** What those who look at a browser say to it. Who watches says so again and again; who has left is forgotten. */
const viewerMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['watch', 'leave', 'take', 'hand_back']), viewer: z.string() }),
  z.object({ kind: z.literal('input'), viewer: z.string(), inputs: z.array(browserInput) }),
]);
export type ViewerMessage = z.output<typeof viewerMessage>;

/** A JPEG in Base64, and the size of the page that it shows. */
export const browserPicture = z.object({
  data: z.base64().max(400_000),
  width: z.number().positive().max(4000),
  height: z.number().positive().max(4000),
});
export type BrowserPicture = z.output<typeof browserPicture>;

/** What a browser says to those who look at it. */
const browserMessage = z.object({
  /** Whether it runs. */
  isOpen: z.boolean(),
  /** The person who has taken the browser over; null while the agent has it. */
  holder: z.string().nullable(),
  /** False until the agent's call has ended. */
  isHeld: z.boolean(),
  picture: browserPicture.optional(),
});
export type BrowserMessage = z.output<typeof browserMessage>;

function readMessage<Message>(schema: z.ZodType<Message>, text: string): Message | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

export const readViewerMessage = (text: string): ViewerMessage | null => readMessage(viewerMessage, text);
export const readBrowserMessage = (text: string): BrowserMessage | null => readMessage(browserMessage, text);

/** Where the two sides hear each other. */
export const viewersTopic = (taskId: string): string => `viewers:${taskId}`;
export const browserTopic = (taskId: string): string => `browser:${taskId}`;

/** How often a viewer says that it watches, and after how long a silence it has left. */
export const watchEveryMs = 2000;
export const viewerGoneMs = 7000;

const largestSide = 4096;

/** The size of a JPEG by its frame header; null for anything else. */
function readJpegSize(bytes: Uint8Array): { width: number; height: number } | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 4 || view.getUint16(0) !== 0xffd8) return null;
  for (let at = 2; at + 9 < bytes.length; ) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    // A frame header; C4, C8, and CC are tables and extensions between them.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    }
    at += 2 + view.getUint16(at + 2);
  }
  return null;
}

/** Whether it is a JPEG that a browser can show without unpacking gigabytes. */
export function isHarmlessJpeg(base64: string): boolean {
  const size = readJpegSize(Buffer.from(base64, 'base64'));
  return size !== null && [size.width, size.height].every((side) => side > 0 && side <= largestSide);
}
