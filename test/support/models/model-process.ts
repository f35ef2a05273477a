import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@errand/base/clock.ts';
import { Controls } from './model-controls.ts';
import { playInstant, playStep } from './reply-player.ts';
import { type CallRecord, Script } from './model-script.ts';
import { playSpeech, speechMark, type SpeechWire, speechWires } from './speech-wires.ts';
import type { Wire } from './wire-format.ts';
import { anthropic } from './anthropic-wire.ts';
import { google } from './google-wire.ts';
import { openaiChat } from './openai-chat-wire.ts';
import { openaiResponses } from './openai-responses-wire.ts';

const wires = [openaiResponses, openaiChat, anthropic, google];
const recordsCalls = !process.argv.includes('--no-record');
const script = new Script();
const controls = new Controls(script);

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function readBody(request: IncomingMessage): Promise<string> {
  return (await readBytes(request)).toString('utf8');
}

/** Follows the reply until its socket closes, from either end. */
function watchClose(response: ServerResponse, record: CallRecord): void {
  response.once('close', () => {
    record.closedAtMs = systemClock.now();
    if (record.outcome === 'open') record.outcome = response.writableFinished ? 'completed' : 'aborted';
    controls.announce();
  });
}

async function serveCall(wire: Wire, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!recordsCalls && script.isEmpty) {
    request.resume();
    request.once('end', () => playInstant(wire, response));
    return;
  }
  const startedAtMs = systemClock.now();
  const body: unknown = JSON.parse(await readBody(request));
  const record = controls.open(wire.name, request, body, startedAtMs);
  watchClose(response, record);
  controls.announce();
  const step = script.choose(wire.read(body));
  if (step) await playStep(wire, step, response, record);
  else playInstant(wire, response);
}

async function serveSpeech(wire: SpeechWire, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const startedAtMs = systemClock.now();
  const body = wire.read(await readBytes(request), request);
  const record = controls.open(wire.name, request, body, startedAtMs);
  watchClose(response, record);
  controls.announce();
  const step = script.choose({ lastUserText: `${speechMark}${String(body['mediaType'])}`, turns: 0 });
  await playSpeech(wire, step, response, record);
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = new URL(request.url ?? '/', 'http://localhost').pathname;
  if (path.startsWith('/control/')) return controls.serve(path, await readBody(request), response);
  const wire = wires.find((each) => each.serves(path));
  if (wire && request.method === 'POST') return serveCall(wire, request, response);
  const speech = speechWires.find((each) => each.serves(path));
  if (speech && request.method === 'POST') return serveSpeech(speech, request, response);
  request.resume();
  response.writeHead(404).end();
}

const server = createServer((request, response) => {
  serve(request, response).catch((error: unknown) => {
    process.stderr.write(`model server: ${String(error)}\n`);
    response.destroy();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`);
});

// Lives as long as its parent, however that ends.
process.stdin.once('end', () => process.exit(0)).resume();
