import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Web pages on this machine, by path; what does not begin with a tag is plain text. */
export class Pages {
  readonly asked: string[] = [];
  readonly #server;

  private constructor(read: (path: string) => string | undefined) {
    this.#server = createServer(({ url = '/' }, response) => {
      this.asked.push(url);
      const page = read(url);
      const type = page?.startsWith('<') === true ? 'text/html' : 'text/plain';
      response.writeHead(page === undefined ? 404 : 200, { 'content-type': `${type}; charset=utf-8` }).end(page ?? 'none');
    });
  }

  static async start(read: (path: string) => string | undefined): Promise<Pages> {
    const pages = new Pages(read);
    pages.#server.listen(0, '127.0.0.1');
    await once(pages.#server, 'listening');
    return pages;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
