import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the API received it. */
export interface ReceivedCall {
  call: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** An HTTP API with a key, and the OpenAPI document that describes it. */
export class PetsApi {
  readonly calls: ReceivedCall[] = [];
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { pathname, search } = new URL(request.url ?? '/', this.url);
      const call = `${request.method ?? ''} ${pathname}${search}`;
      if (pathname === '/openapi.yaml') return void response.end(this.document());
      this.calls.push({ call, headers: request.headers, body: Buffer.concat(chunks).toString() });
      const json = (status: number, value: object) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
      if (pathname === '/v1') return void json(404, {});
      if (request.headers['x-api-key'] !== 'canary-key') return void json(401, { error: 'no key' });
      if (pathname === '/v1/elsewhere') return void response.writeHead(302, { location: 'https://example.com/' }).end();
      if (pathname === '/v1/moved') return void response.writeHead(302, { location: '/v1/pets?limit=1' }).end();
      if (pathname === '/v1/photo')
        return void response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.from('bytes'));
      if (pathname === '/v1/echo') return void json(200, { you: request.headers['x-api-key'] });
      if (request.method === 'POST') return void json(201, { id: 8 });
      if (pathname === '/v1/pets') return void json(200, [{ id: 7, name: 'Rex' }]);
      return void json(404, { error: 'no such pet' });
    });
  });

  static async start(): Promise<PetsApi> {
    const api = new PetsApi();
    await new Promise<void>((resolve) => api.#server.listen(0, '127.0.0.1', resolve));
    return api;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** In YAML. */
  document(): string {
    const plain = (path: string, id: string) => `  ${path}:\n    get: { operationId: ${id}, responses: {} }\n`;
    return `openapi: 3.1.0
info: { title: Pets, version: '1' }
servers: [{ url: /v1 }]
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-Api-Key } }
paths:
  /pets:
    get:
      operationId: listPets
      summary: All pets
      parameters:
        - { name: limit, in: query, schema: { type: integer } }
        - { name: X-Api-Key, in: header, schema: { type: string } }
    post:
      operationId: addPet
      requestBody:
        required: true
        content:
          application/json:
            schema: { type: object, required: [name], properties: { name: { type: string } } }
  /pets/{id}:
    get:
      operationId: getPet
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
  /upload:
    post:
      operationId: upload
      requestBody: { required: true, content: { multipart/form-data: {} } }
${plain('/elsewhere', 'elsewhere')}${plain('/moved', 'moved')}${plain('/photo', 'photo')}${plain('/echo', 'echo')}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
