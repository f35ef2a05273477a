import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { encodeRequest } from './load-job.ts';

/** A reader of a task's stream that looks for one text at a time. */
export class EventReader {
  readonly #socket: Socket;
  #text = '';
  #wanted: { mark: string; found: () => void } | null = null;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      this.#text += chunk;
      this.#search();
    });
  }

  /** Follows a task from its beginning; resolves when the stream has begun. */
  static async open(serviceUrl: string, apiKey: string, taskId: string): Promise<EventReader> {
    const url = new URL(serviceUrl);
    const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
    await once(socket, 'connect');
    const reader = new EventReader(socket);
    const begun = reader.waitFor('user_message');
    socket.write(encodeRequest(url, apiKey, { method: 'GET', path: `/v2/task.stream?task_id=${taskId}` }));
    await begun;
    return reader;
  }

  /** Resolves when the stream has brought `mark`; everything before is forgotten. */
  waitFor(mark: string): Promise<void> {
    return new Promise((resolve) => {
      this.#wanted = { mark, found: resolve };
      this.#search();
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #search(): void {
    const wanted = this.#wanted;
    if (!wanted || !this.#text.includes(wanted.mark)) return;
    this.#wanted = null;
    this.#text = '';
    wanted.found();
  }
}
