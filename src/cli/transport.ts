/** One request to the service, whichever way it goes. */
export interface TransportRequest {
  method: 'GET' | 'POST';
  /** `/v2/task.list` */
  path: string;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
}

export interface TransportReply {
  status: number;
  /** The parsed JSON; undefined when it was none. */
  body: unknown;
}

/** A way to the service. */
export interface Transport {
  /** `remote`: only what an API key may do; `control`: a running service on this machine; `own`: opened by this command. */
  readonly kind: 'remote' | 'control' | 'own';
  send(request: TransportRequest): Promise<TransportReply>;
  /** The bytes of a stream as they come; throws what ended it. Ends by itself only when the service ends it. */
  stream(request: TransportRequest, signal: AbortSignal): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** The service cannot be reached just now: what was going on may be tried again. */
export class ConnectionLost extends Error {}

/** A stream was refused with this reply. */
export class StreamRefused extends Error {
  readonly reply: TransportReply;

  constructor(reply: TransportReply) {
    super(`the stream was refused with status ${reply.status}`);
    this.reply = reply;
  }
}

export function formatTarget({ path, query = {} }: TransportRequest): string {
  const text = new URLSearchParams(query).toString();
  return text === '' ? path : `${path}?${text}`;
}

/** Whatever came, as JSON if it is any. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
