/** A request to the service over any transport. */
export interface WireRequest {
  method: 'GET' | 'POST';
  /** `/v2/task.list` */
  path: string;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
}

/** The answer to a request. */
export interface WireReply {
  status: number;
  /** The parsed JSON; undefined if it is none. */
  body: unknown;
}

/** A way to reach the service. */
export interface Transport {
  /** `remote`: limited to what an API key may do; `control`: a service running on this machine; `own`: opened by this command. */
  readonly kind: 'remote' | 'control' | 'own';
  send(request: WireRequest): Promise<WireReply>;
  /** The bytes of a stream as they arrive; ends when the service ends it, and throws what interrupts it. */
  stream(request: WireRequest, signal: AbortSignal): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** The service cannot be reached at the moment; retrying may help. */
export class ConnectionLost extends Error {}

/** The service refused a stream with this reply. */
export class StreamRefused extends Error {
  readonly reply: WireReply;

  constructor(reply: WireReply) {
    super(`the stream was refused with status ${reply.status}`);
    this.reply = reply;
  }
}

/** Path and query of a request. */
export function formatTarget({ path, query = {} }: WireRequest): string {
  const text = new URLSearchParams(query).toString();
  return text === '' ? path : `${path}?${text}`;
}

/** The parsed text; undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
