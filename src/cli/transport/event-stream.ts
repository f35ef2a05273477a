/** One message of an event stream (server-sent events). */
export interface StreamMessage {
  id: string | null;
  event: string;
  data: string;
}

/** Larger than any message; a stream that never ends a line must not exhaust memory. */
const longestLine = 64 * 1024 * 1024;

async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > longestLine) throw new Error('the stream sent a line that is too long');
    for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
  }
}

/** The messages in a stream of bytes, without comments and unknown fields. An incomplete message at the end is dropped. */
export async function* parseEventStream(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<StreamMessage> {
  let id: string | null = null;
  let event = 'message';
  let data: string[] = [];
  for await (const line of splitLines(chunks)) {
    if (line === '') {
      if (data.length > 0) yield { id, event, data: data.join('\n') };
      event = 'message';
      data = [];
      continue;
    }
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'id') id = value;
    else if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
  }
}
