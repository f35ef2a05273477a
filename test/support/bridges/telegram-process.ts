/** The Bot API of Telegram in a separate process, and a way for tests to act as the people who talk to the bot. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BotChats, readHtml, type SentMessage } from './telegram-chats.ts';

type Json = Record<string, unknown>;

const token = '424242:TestTokenOfTheTelegramServer';
const chats = new BotChats();

class Refusal extends Error {
  readonly code: number;
  readonly more: Json;

  constructor(code: number, description: string, more: Json = {}) {
    super(description);
    this.code = code;
    this.more = more;
  }
}

interface Given {
  fields: Json;
  file: SentMessage['file'];
}

function readForm(body: Buffer, boundary: string): Given {
  const given: Given = { fields: {}, file: null };
  const text = body.toString('latin1');
  for (const part of text.split(`--${boundary}`).slice(1, -1)) {
    const end = part.indexOf('\r\n\r\n');
    const head = part.slice(0, end);
    const bytes = Buffer.from(part.slice(end + 4, -2), 'latin1');
    const [, name = ''] = / name="([^"]*)"/.exec(head) ?? [];
    const [, filename] = /filename="([^"]*)"/.exec(head) ?? [];
    if (filename === undefined) given.fields[name] = bytes.toString();
    else {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const [, contentType = ''] = /Content-Type: (\S+)/.exec(head) ?? [];
      given.file = { filename: Buffer.from(filename, 'latin1').toString(), contentType, bytes: bytes.length, sha256 };
    }
  }
  return given;
}

function readGiven(request: IncomingMessage, body: Buffer): Given {
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/'))
    return { fields: body.length === 0 ? {} : (JSON.parse(body.toString()) as Json), file: null };
  return readForm(body, /boundary=(\S+)$/.exec(type)?.[1] ?? '');
}

function buttonsOf(markup: unknown): SentMessage['buttons'] {
  const rows = (markup as { inline_keyboard?: SentMessage['buttons'][] } | undefined)?.inline_keyboard ?? [];
  const buttons = rows.flat();
  for (const { callback_data: data } of buttons) {
    if (Buffer.byteLength(data) > 64 || data === '') throw new Refusal(400, 'Bad Request: BUTTON_DATA_INVALID');
  }
  return buttons;
}

function checkText(text: string, mode: unknown): string {
  const read = mode === 'HTML' ? readHtml(text) : { text };
  if ('problem' in read) throw new Refusal(400, `Bad Request: can't parse entities: ${read.problem}`);
  if (read.text.trim() === '') throw new Refusal(400, 'Bad Request: message text is empty');
  if (read.text.length > 4096) throw new Refusal(400, 'Bad Request: message is too long');
  return read.text;
}

function saveMessage(method: string, { fields, file }: Given): Json {
  const chat = String(fields.chat_id);
  const text = method === 'sendMessage' ? checkText(asText(fields.text), fields.parse_mode) : '';
  if (method !== 'sendMessage' && !file) throw new Refusal(400, 'Bad Request: there is no file in the request');
  const buttons = buttonsOf(fields.reply_markup);
  const parseMode = typeof fields.parse_mode === 'string' ? fields.parse_mode : null;
  const message = { message_id: chats.nextMessageId(), chat, method, text, parseMode, buttons, file };
  chats.messages.push(message);
  return { message_id: message.message_id, chat: { id: Number(chat), type: 'private' } };
}

function edit({ fields }: Given): Json {
  const message = chats.messages.find(({ message_id: id, chat }) => id === fields.message_id && chat === String(fields.chat_id));
  if (!message) throw new Refusal(400, 'Bad Request: message to edit not found');
  const buttons = buttonsOf(fields.reply_markup);
  if (JSON.stringify(buttons) === JSON.stringify(message.buttons)) {
    throw new Refusal(400, 'Bad Request: message is not modified');
  }
  message.buttons = buttons;
  return { message_id: message.message_id };
}

async function obey(method: string, given: Given, isGone: Promise<void>): Promise<unknown> {
  const { fields } = given;
  switch (method) {
    case 'getMe':
      return { id: 424242, is_bot: true, first_name: 'Errand', username: 'errand_test_bot' };
    case 'getUpdates': {
      const polled = await chats.poll(
        Number(fields.offset ?? 0),
        Number(fields.limit ?? 100),
        Number(fields.timeout ?? 0),
        isGone,
      );
      if (!polled) throw new Refusal(409, 'Conflict: terminated by other getUpdates request');
      return polled;
    }
    case 'sendMessage':
    case 'sendDocument':
    case 'sendPhoto':
    case 'sendVoice':
    case 'sendAudio':
      return saveMessage(method, given);
    case 'editMessageReplyMarkup':
      return edit(given);
    case 'answerCallbackQuery':
      chats.answers.push({ id: String(fields.callback_query_id), text: asText(fields.text) });
      return true;
    case 'sendChatAction':
      chats.actions.push(String(fields.chat_id));
      return true;
    case 'getFile': {
      const id = String(fields.file_id);
      if (!chats.files.has(id)) throw new Refusal(400, 'Bad Request: file is too big');
      return { file_id: id, file_path: `documents/${id}` };
    }
    default:
      throw new Refusal(404, 'Not Found');
  }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

async function serveBot(method: string, request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
  const isGone = new Promise<void>((resolve) => response.once('close', resolve));
  chats.calls.push(method);
  const failure = chats.failures.find((each) => each.method === method && each.times > 0);
  if (failure) failure.times -= 1;
  try {
    const given = readGiven(request, body);
    const isDone = !failure || failure.isDone === true;
    const result = isDone ? await obey(method, given, isGone) : null;
    if (failure) answer(response, failure.status, failure.body);
    else answer(response, 200, { ok: true, result });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    answer(response, error.code, { ok: false, error_code: error.code, description: error.message, ...error.more });
  }
}

/** Test controls: `add` an update, give a `file`, script `failures`, inspect. */
function control(path: string, body: Buffer): unknown {
  const input = body.length === 0 ? {} : (JSON.parse(body.toString()) as Json);
  if (path === 'add') return { update_id: chats.add(input) };
  if (path === 'file') {
    chats.files.set(String(input.id), Buffer.from(String(input.base64), 'base64'));
    return {};
  }
  if (path === 'fail') {
    chats.failures = input.failures as BotChats['failures'];
    return {};
  }
  const { messages, answers, actions, calls, openUpdates } = chats;
  return { messages, answers, actions, calls, openUpdates };
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const path = request.url ?? '/';
  const [, given, method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(path) ?? [];
  if (path.startsWith('/control/')) return answer(response, 200, control(path.slice('/control/'.length), body));
  if (given !== undefined && given !== token)
    return answer(response, 401, { ok: false, error_code: 401, description: 'Unauthorized' });
  if (given !== undefined) return serveBot(method, request, body, response);
  const file = chats.files.get(path.slice(`/file/bot${token}/documents/`.length));
  if (path.startsWith(`/file/bot${token}/`) && file) response.end(file);
  else response.writeHead(404).end();
}

const server = createServer((request, response) => {
  serve(request, response).catch((error: unknown) => {
    process.stderr.write(`telegram server: ${String(error)}\n`);
    response.destroy();
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port, token })}\n`);
});
process.stdin.resume();
process.stdin.once('end', () => process.exit(0));
