/** Slack's Web API and Socket Mode in a separate process, and a way for tests to act as the people who write to the bot. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

type Json = Record<string, unknown>;

const botToken = 'xoxb-test-token-of-the-bot';
const appToken = 'xapp-test-token-of-the-app';

interface Message {
  channel: string;
  ts: string;
  user: string;
  text: string;
  blocks: unknown[];
  file: { filename: string; bytes: number; sha256: string } | null;
}

interface Failure {
  method: string;
  status: number;
  body: Json;
  times: number;
}

const history: (Json & { channel: string; ts: string })[] = [];
const messages: Message[] = [];
const reactions: string[] = [];
const uploads = new Map<string, { filename: string; bytes: Buffer }>();
const files = new Map<string, Buffer>();
const calls: string[] = [];
const open = new Map<string, Json>();
const sockets = new Set<Duplex>();
let failures: Failure[] = [];
let lastTs = 1_700_000_000;
let lastEnvelope = 0;

class Refusal extends Error {}

function nextTs(): string {
  lastTs += 1;
  return `${lastTs}.000100`;
}

/** A text frame (RFC 6455, section 5.2), as sent by servers: unmasked. */
function writeFrame(text: string): Buffer {
  const bytes = Buffer.from(text);
  const head =
    bytes.length < 126 ? Buffer.from([0x81, bytes.length]) : Buffer.from([0x81, 126, bytes.length >> 8, bytes.length & 255]);
  return Buffer.concat([head, bytes]);
}

function onFrame(opcode: number, bytes: Buffer, socket: Duplex): void {
  if (opcode === 8) socket.end();
  if (opcode === 1) open.delete(String((JSON.parse(bytes.toString()) as Json).envelope_id));
}

function readFrames(socket: Duplex): void {
  let rest = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 6) {
      const long = (rest.readUInt8(1) & 127) === 126 ? 2 : 0;
      const length = long > 0 ? rest.readUInt16BE(2) : rest.readUInt8(1) & 127;
      const from = 2 + long + 4;
      if (rest.length < from + length) return;
      const mask = rest.subarray(from - 4, from);
      const bytes = Buffer.from(rest.subarray(from, from + length).map((byte, at) => byte ^ (mask[at % 4] ?? 0)));
      onFrame(rest.readUInt8(0) & 15, bytes, socket);
      rest = rest.subarray(from + length);
    }
  });
}

/** Sends every open envelope on the newest connection; unacknowledged ones are resent on the next. */
function announceOpen(): void {
  const socket = [...sockets].at(-1);
  for (const envelope of open.values()) socket?.write(writeFrame(JSON.stringify(envelope)));
}

function post(type: string, payload: Json): void {
  lastEnvelope += 1;
  const id = `envelope-${lastEnvelope}`;
  const envelope = { envelope_id: id, type, payload, accepts_response_payload: false };
  open.set(id, envelope);
  [...sockets].at(-1)?.write(writeFrame(JSON.stringify(envelope)));
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function checkBlocks(blocks: unknown): unknown[] {
  const list = Array.isArray(blocks) ? (blocks as { text?: { text?: string }; elements?: { value?: string }[] }[]) : [];
  for (const { text, elements = [] } of list) {
    if ((text?.text ?? '').length > 3000 || elements.length > 25) throw new Refusal('invalid_blocks');
  }
  return list;
}

function obey(method: string, input: Json, token: string): Json {
  if (token !== (method === 'apps.connections.open' ? appToken : botToken)) throw new Refusal('invalid_auth');
  const channel = asText(input.channel);
  switch (method) {
    case 'auth.test':
      return { user_id: 'UBOT', team_id: 'T1', user: 'errand' };
    case 'apps.connections.open':
      return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/socket` };
    case 'chat.postMessage': {
      const text = asText(input.text);
      if (text === '') throw new Refusal('no_text');
      const message = { channel, ts: nextTs(), user: 'UBOT', text, blocks: checkBlocks(input.blocks), file: null };
      messages.push(message);
      history.push({ type: 'message', ...message, bot_id: 'B1' });
      return { ts: message.ts };
    }
    case 'chat.update': {
      const message = messages.find((each) => each.channel === channel && each.ts === input.ts);
      if (!message) throw new Refusal('message_not_found');
      message.blocks = checkBlocks(input.blocks);
      return { ts: message.ts };
    }
    case 'reactions.add':
      if (reactions.includes(asText(input.timestamp))) throw new Refusal('already_reacted');
      reactions.push(asText(input.timestamp));
      return {};
    case 'conversations.history': {
      const found = history.filter((each) => each.channel === channel && each.ts > asText(input.oldest));
      return { messages: found.toReversed().slice(0, 100), has_more: false };
    }
    case 'files.getUploadURLExternal': {
      const id = `F${uploads.size + 1}`;
      uploads.set(id, { filename: asText(input.filename), bytes: Buffer.alloc(0) });
      return { file_id: id, upload_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/upload/${id}` };
    }
    case 'files.completeUploadExternal': {
      for (const { id } of input.files as { id: string }[]) {
        const upload = uploads.get(id);
        if (!upload) throw new Refusal('file_not_found');
        const { filename, bytes } = upload;
        const file = { filename, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
        messages.push({ channel: asText(input.channel_id), ts: nextTs(), user: 'UBOT', text: '', blocks: [], file });
      }
      return {};
    }
    default:
      throw new Refusal('unknown_method');
  }
}

function answer(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

function serveApi(method: string, request: IncomingMessage, body: string, response: ServerResponse): void {
  calls.push(method);
  const failure = failures.find((each) => each.method === method && each.times > 0);
  if (failure) {
    failure.times -= 1;
    return answer(response, failure.status, failure.body, { 'retry-after': '1' });
  }
  const isJson = (request.headers['content-type'] ?? '').startsWith('application/json');
  const input = isJson ? (JSON.parse(body) as Json) : Object.fromEntries(new URLSearchParams(body));
  try {
    answer(response, 200, { ok: true, ...obey(method, input, (request.headers.authorization ?? '').slice('Bearer '.length)) });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    answer(response, 200, { ok: false, error: error.message });
  }
}

/** Test controls: `say` something in a channel, `press` a button, `cut` the connections, inspect. */
function control(path: string, input: Json): unknown {
  if (path === 'say') {
    const event = { type: 'message', channel_type: 'im', ...input, channel: asText(input.channel), ts: nextTs() };
    history.push(event);
    if (input.isUntold !== true) post('events_api', { type: 'event_callback', event_id: `Ev${event.ts}`, event });
    return { ts: event.ts };
  }
  if (path === 'post') post(asText(input.type), input.payload as Json);
  if (path === 'repeat') announceOpen();
  if (path === 'file') files.set(asText(input.id), Buffer.from(asText(input.base64), 'base64'));
  if (path === 'fail') failures = input.failures as Failure[];
  if (path === 'cut') for (const socket of sockets) socket.destroy();
  if (path === 'disconnect')
    for (const socket of sockets) socket.write(writeFrame('{"type":"disconnect","reason":"refresh_requested"}'));
  return { messages, reactions, calls, openEnvelopes: open.size, connections: sockets.size };
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const [, place = '', name = ''] = /^\/(\w+)\/(.+)$/.exec(request.url ?? '/') ?? [];
  if (place === 'control')
    return answer(response, 200, control(name, body.length === 0 ? {} : (JSON.parse(body.toString()) as Json)));
  if (place === 'api') return serveApi(name, request, body.toString(), response);
  const upload = uploads.get(name);
  if (place === 'upload' && upload) {
    upload.bytes = body;
    response.end('OK');
    return;
  }
  const file = files.get(name);
  if (place !== 'files' || !file) response.writeHead(404).end();
  else if (request.headers.authorization === `Bearer ${botToken}`) response.end(file);
  else response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Sign in</p>');
}

const server = createServer((request, response) => {
  serve(request, response).catch((error: unknown) => {
    process.stderr.write(`slack server: ${String(error)}\n`);
    response.destroy();
  });
});
server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
  socket.on('error', () => undefined);
  const key = `${request.headers['sec-websocket-key'] ?? ''}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
  const accept = createHash('sha1').update(key).digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  sockets.add(socket);
  socket.on('end', () => socket.end());
  socket.on('close', () => sockets.delete(socket));
  readFrames(socket);
  socket.write(writeFrame('{"type":"hello","num_connections":1}'));
  announceOpen();
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port, botToken, appToken })}\n`);
});
process.stdin.resume();
process.stdin.once('end', () => process.exit(0));
