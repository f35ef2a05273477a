import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { pause, systemClock } from '@errand/base/clock.ts';
import type { CallRecord, Step } from './model-script.ts';
import { listFrames, type Wire } from './wire-format.ts';

const streamHeaders = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' };
const instantReplies = new Map<Wire, Buffer>();
let nextCallId = 1;

function encodeInstant(wire: Wire): Buffer {
  const step: Step = { text: 'Done.' };
  return Buffer.from([wire.open(), ...listFrames(wire, step, () => ''), wire.close(step)].join(''));
}

/** The default reply, built once and sent in one write. */
export function playInstant(wire: Wire, response: ServerResponse): void {
  let reply = instantReplies.get(wire);
  if (!reply) instantReplies.set(wire, (reply = encodeInstant(wire)));
  response.writeHead(200, { ...streamHeaders, 'content-length': reply.length }).end(reply);
}

function playFailure(wire: Wire, step: Step, response: ServerResponse): void {
  const status = step.status ?? 200;
  const body = step.body ?? JSON.stringify(wire.error(status));
  const type = status === 200 ? 'text/event-stream' : 'application/json';
  response.writeHead(status, { 'content-type': type, ...step.headers }).end(body);
}

/** Sends frames until the step's end or the client's. */
async function playFrames(wire: Wire, step: Step, response: ServerResponse): Promise<void> {
  let sent = 0;
  let text = wire.open();
  for (const frame of listFrames(wire, step, () => `call_${nextCallId++}`)) {
    if (response.destroyed || sent === step.endAfterFrames) break;
    sent += 1;
    text += frame;
    if (!step.frameDelayMs && text.length < 65_536) continue;
    if (!response.write(text)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
    text = '';
    if (step.frameDelayMs) await pause(systemClock, step.frameDelayMs);
  }
  if (text) await new Promise<void>((resolve) => response.write(text, () => resolve()));
}

/** Performs one scripted reply. */
export async function playStep(wire: Wire, step: Step, response: ServerResponse, record: CallRecord): Promise<void> {
  if (step.delayMs) await pause(systemClock, step.delayMs);
  if (step.status !== undefined || step.body !== undefined) return playFailure(wire, step, response);
  response.writeHead(200, streamHeaders);
  response.flushHeaders();
  await playFrames(wire, step, response);
  if (step.end === 'stall') return;
  if (step.end === 'cut') {
    record.outcome = 'cut';
    response.destroy();
  } else if (step.end === 'garbage') response.end('data: {"type": not json\n\n');
  else if (step.end === 'missing') response.end();
  else response.end(wire.close(step));
}
