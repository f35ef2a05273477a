import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Choice {
  delta: Record<string, unknown>;
  finish_reason: 'stop' | 'tool_calls';
}

/** A reply of the protocol of OpenAI's chat completions, in one frame. */
function sendReply(response: ServerResponse, choice: Choice): void {
  const frame = JSON.stringify({ id: 'r', object: 'chat.completion.chunk', choices: [{ index: 0, ...choice }] });
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${frame}\n\ndata: [DONE]\n\n`);
}

/** The call of a tool that differs each time, since repeated ones are refused. */
function callTool(count: number): Choice {
  const call = { name: 'list_files', arguments: JSON.stringify({ path: '.', limit: 1 + (count % 900) }) };
  return {
    delta: { tool_calls: [{ index: 0, id: `call_${count}`, type: 'function', function: call }] },
    finish_reason: 'tool_calls',
  };
}

/** A language model in this process, so that its calls and the requests to the service are timed by one clock. Times are milliseconds. */
export class TimedModel {
  readonly #server: Server;
  /** Tool calls that it still makes before it answers. */
  #toolCalls = 0;
  #count = 0;
  /** When requests began to arrive, and when their replies were sent. */
  arrivals: number[] = [];
  replies: number[] = [];

  private constructor() {
    this.#server = createServer((request, response) => {
      this.arrivals.push(performance.now());
      request.resume().once('end', () => this.#reply(response));
    });
  }

  static async start(): Promise<TimedModel> {
    const model = new TimedModel();
    await once(model.#server.listen(0, '127.0.0.1'), 'listening');
    return model;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  /** Forgets all times; the next replies call a tool this many times, and then answer. */
  expect(toolCalls: number): void {
    this.#toolCalls = toolCalls;
    this.arrivals = [];
    this.replies = [];
  }

  #reply(response: ServerResponse): void {
    this.#count += 1;
    const isCall = this.#toolCalls > 0;
    if (isCall) this.#toolCalls -= 1;
    sendReply(response, isCall ? callTool(this.#count) : { delta: { content: 'Done.' }, finish_reason: 'stop' });
    this.replies.push(performance.now());
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
