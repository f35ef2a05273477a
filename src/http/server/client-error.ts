import type { Socket } from 'node:net';
import { Fault } from '@errand/base/fault.ts';
import { statusTexts } from '@errand/base/net/node-http.ts';
import { isLegacyPath, renderLegacyFault } from '../../legacy/fault-body.ts';
import { answerHeaders, renderFault } from './envelope.ts';

/** Why the parser failed, for callers. Everything else is a malformed request. */
const reasons: Record<string, () => Fault> = {
  HPE_HEADER_OVERFLOW: () => new Fault('invalid_argument', 'The request headers are too large.', { status: 431 }),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: () => new Fault('payload_too_large', 'The chunk extensions are too large.'),
  ERR_HTTP_REQUEST_TIMEOUT: () => new Fault('invalid_argument', 'The request did not arrive in time.', { status: 408 }),
};

export function faultOfParser(code: string): Fault {
  const reason = Object.hasOwn(reasons, code) ? reasons[code] : undefined;
  return reason?.() ?? new Fault('invalid_argument', 'The request is not valid HTTP.');
}

/** Whether the received part of a request is the start of a v1 request. */
function isForLegacy(start: unknown): boolean {
  const head = Buffer.isBuffer(start) ? start.toString('latin1', 0, 64) : '';
  const [, path = ''] = /^[A-Z]+ (\/[^ ?]*)/.exec(head) ?? [];
  return isLegacyPath(path);
}

/** A complete response as sent over the wire, for a connection about to close; `start` is what was read of the request. */
export function renderRawAnswer(
  requestId: string,
  fault: Fault,
  { start, publicUrl }: { start?: unknown; publicUrl?: string | undefined } = {},
): string {
  const body = isForLegacy(start) ? renderLegacyFault(fault) : renderFault(requestId, fault, publicUrl);
  const headers = { ...answerHeaders, 'x-request-id': requestId, 'content-length': Buffer.byteLength(body), connection: 'close' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${fault.status} ${statusTexts[fault.status] ?? ''}`, ...lines, '', body].join('\r\n');
}

/** Answers on the raw socket and closes it; does nothing if the peer has disconnected. */
export function endSocket(socket: Socket, answer: string): void {
  if (socket.writable) socket.end(answer);
  socket.destroySoon();
}
