/** One request of a load. */
export interface LoadRequest {
  method: 'GET' | 'POST';
  path: string;
  /** A POST's JSON text. */
  body?: string;
}

export interface LoadJob {
  url: string;
  apiKey: string;
  connections: number;
  /** Replies before the measuring begins, without a pause between. */
  warmup: number;
  /** Replies that are measured. */
  count: number;
  /** Sent in turn, over and over. */
  requests: LoadRequest[];
}

export interface LoadResult {
  perSecond: number;
  /** Milliseconds from a request to its whole reply. */
  p50Ms: number;
  p99Ms: number;
  /** Wall-clock milliseconds. */
  startedAt: number;
  endedAt: number;
  /** Processor time the generator itself took, as part of one core. */
  ownShare: number;
}

/** A request as it goes over the wire. */
export function encodeRequest(url: URL, apiKey: string, { method, path, body }: LoadRequest): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, `host: ${url.host}`, `x-service-api-key: ${apiKey}`];
  if (body !== undefined) lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`);
}
