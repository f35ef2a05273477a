/** One message of an event stream (server-sent events). */
export interface StreamMessage {
  id: string | null;
  event: string;
  data: string;
}

async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split(/\r?\n/);
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } finally {
    // A reader that stops closes the connection.
    await reader.cancel().catch(() => undefined);
  }
}

/** The messages of a stream. Comments are skipped; a message that is truncated at the end is dropped. */
export async function* parseEventStream(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamMessage> {
  let message: StreamMessage = { id: null, event: 'message', data: '' };
  for await (const line of readLines(body)) {
    const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (line === '') {
      if (message.data !== '') yield { ...message, data: message.data.slice(0, -1) };
      message = { id: message.id, event: 'message', data: '' };
    } else if (field === 'id') message.id = value;
    else if (field === 'event') message.event = value;
    else if (field === 'data') message.data += `${value}\n`;
  }
}
