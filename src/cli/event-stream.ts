/** One message of an event stream (server-sent events). */
export interface StreamMessage {
  id: string | null;
  event: string;
  data: string;
}

/** No message is as large as this; a stream that never ends a line must not fill the memory. */
const longestLine = 64 * 1024 * 1024;

async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > longestLine) throw new Error('the stream sent a line without an end');
    for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
  }
}

/** The messages of a stream of bytes. Comments and unknown fields are skipped; a message that was cut off at the end is dropped. */
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
