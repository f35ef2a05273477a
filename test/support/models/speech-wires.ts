import { isJsonObject } from '@errand/base/json-object.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pause, systemClock } from '@errand/base/clock.ts';
import type { CallRecord, Step } from './model-script.ts';
import { readItems } from './wire-format.ts';

/** The text that a rule's `match` is searched in, so that rules for conversations and recordings can be mixed. */
export const speechMark = 'speech:';

/** A provider's protocol for transcription: one request, one reply. */
export interface SpeechWire {
  name: string;
  serves(path: string): boolean;
  /** The recorded request: the model, and the recording's type and length. */
  read(body: Buffer, request: IncomingMessage): Record<string, unknown>;
  reply(text: string): unknown;
}

/** The parts of a form, byte by byte as text. */
function readForm(body: Buffer, contentType: string): { head: string; content: string }[] {
  const boundary = /boundary=(\S+)/.exec(contentType)?.[1] ?? 'none';
  const parts = body.toString('latin1').split(`--${boundary}`).slice(1, -1);
  return parts.map((part) => {
    const end = part.indexOf('\r\n\r\n');
    return { head: part.slice(2, end), content: part.slice(end + 4, -2) };
  });
}

const openaiSpeech: SpeechWire = {
  name: 'openai-speech',
  serves: (path) => path.endsWith('/audio/transcriptions'),
  read(body, { headers }) {
    const parts = readForm(body, headers['content-type'] ?? '');
    const [file, model] = ['file', 'model'].map((name) => parts.find(({ head }) => head.includes(` name="${name}"`)));
    if (!file || !model) throw new Error('there is no file, or no model, in the form');
    const [, filename] = /filename="([^"]*)"/.exec(file.head) ?? [];
    const [, mediaType] = /content-type: (.*)/i.exec(file.head) ?? [];
    return { model: model.content, filename, mediaType, bytes: file.content.length };
  },
  reply: (text) => ({ text }),
};

const googleSpeech: SpeechWire = {
  name: 'google-speech',
  serves: (path) => path.endsWith('/interactions'),
  read(body) {
    const asked: unknown = JSON.parse(body.toString());
    const [input] = readItems(asked, 'input');
    const bytes = Buffer.from(String(input?.['data']), 'base64').length;
    const model = isJsonObject(asked) ? asked['model'] : undefined;
    return { model, mediaType: input?.['mime_type'], bytes };
  },
  reply: (text) => ({ steps: [{ content: [{ type: 'text', text }] }] }),
};

export const speechWires = [openaiSpeech, googleSpeech];

/** Performs one scripted reply; by default every recording has the same transcript. */
export async function playSpeech(
  wire: SpeechWire,
  step: Step | null,
  response: ServerResponse,
  record: CallRecord,
): Promise<void> {
  const { delayMs = 0, status = 200, headers, body, end, text = 'Done.' } = step ?? {};
  if (delayMs > 0) await pause(systemClock, delayMs);
  if (end === 'stall') return;
  if (end === 'cut') {
    record.outcome = 'cut';
    response.destroy();
    return;
  }
  const failure = {
    error: { message: `scripted failure ${status}`, type: 'scripted', param: null, code: status, status: 'SCRIPTED' },
  };
  const answer = status === 200 ? wire.reply(Array.isArray(text) ? text.join('') : text) : failure;
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body ?? JSON.stringify(answer));
}
