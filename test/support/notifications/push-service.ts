import { createDecipheriv, createECDH, createHmac, createPublicKey, randomBytes, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Notice } from '../../../src/rules/notifications/notice.ts';

/** A message as the browser gets it. */
export interface PushedMessage {
  path: string;
  headers: IncomingHttpHeaders;
  notice: Notice;
  /** The key with which the sender proved who it is. */
  serverKey: string;
}

/** The simplest derivation of RFC 5869: one block. */
function derive(salt: Buffer, secret: Buffer, info: Buffer, bytes: number): Buffer {
  const key = createHmac('sha256', salt).update(secret).digest();
  return createHmac('sha256', key)
    .update(Buffer.concat([info, Buffer.of(1)]))
    .digest()
    .subarray(0, bytes);
}

/** The keys of a browser that subscribes. */
class BrowserKeys {
  readonly #pair = createECDH('prime256v1');
  readonly #auth = randomBytes(16);

  constructor() {
    this.#pair.generateKeys();
  }

  get p256dh(): string {
    return this.#pair.getPublicKey('base64url');
  }

  get auth(): string {
    return this.#auth.toString('base64url');
  }

  /** Reads one `aes128gcm` record, as browsers do. */
  open(body: Buffer): string {
    const [salt, point, sealed] = [body.subarray(0, 16), body.subarray(21, 86), body.subarray(86)];
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.#pair.getPublicKey(), point]);
    const secret = derive(this.#auth, this.#pair.computeSecret(point), info, 32);
    const part = (name: string, bytes: number) => derive(salt, secret, Buffer.from(`Content-Encoding: ${name}\0`), bytes);
    const decipher = createDecipheriv('aes-128-gcm', part('aes128gcm', 16), part('nonce', 12)).setAuthTag(sealed.subarray(-16));
    const text = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
    if (text.at(-1) !== 2) throw new Error('the last record has no delimiter');
    return text.subarray(0, -1).toString();
  }
}

/** Checks a `vapid` header for this origin; returns the sender's key. */
function checkSender(header: string, origin: string): string {
  const [, content = '', claims = '', signature = '', key = ''] =
    /^vapid t=([\w-]+\.([\w-]+))\.([\w-]+), k=([\w-]+)$/.exec(header) ?? [];
  const point = Buffer.from(key, 'base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
  const isSigned = verify(
    'sha256',
    Buffer.from(content),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  const { aud } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { aud: string };
  if (!isSigned || aud !== origin) throw new Error('not signed for this push service');
  return key;
}

/** The push service of a browser, and the browser behind it: takes messages, checks their sender, and decrypts them. */
export class PushService {
  readonly messages: PushedMessage[] = [];
  /** Statuses for messages at a path; default: 201. */
  readonly answers = new Map<string, number>();
  readonly #server: Server;
  readonly #browsers = new Map<string, BrowserKeys>();
  readonly #waiting = new Set<() => void>();

  private constructor(server: Server) {
    this.#server = server;
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const path = request.url ?? '';
        response.writeHead(this.#take(path, request.headers, Buffer.concat(chunks))).end();
      });
    });
  }

  static async start(): Promise<PushService> {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return new PushService(server);
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** What a browser says of its subscription. */
  subscribe(path: string): { endpoint: string; keys: { p256dh: string; auth: string } } {
    const browser = new BrowserKeys();
    this.#browsers.set(path, browser);
    return { endpoint: this.origin + path, keys: { p256dh: browser.p256dh, auth: browser.auth } };
  }

  /** Resolves once there are this many messages. */
  async received(count: number): Promise<readonly PushedMessage[]> {
    while (this.messages.length < count) await new Promise<void>((resolve) => this.#waiting.add(resolve));
    return this.messages;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #take(path: string, headers: IncomingHttpHeaders, body: Buffer): number {
    const browser = this.#browsers.get(path);
    if (!browser) return 404;
    const serverKey = checkSender(headers.authorization ?? '', this.origin);
    this.messages.push({ path, headers, serverKey, notice: JSON.parse(browser.open(body)) as Notice });
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
    return this.answers.get(path) ?? 201;
  }
}
