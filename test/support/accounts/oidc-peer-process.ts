import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

// An OpenID Connect provider as a separate process: `node server.ts PORT CLIENT`, where CLIENT is the client's metadata as JSON. Visitors
// of its page choose who they are: a subject with claims. Each start generates a new key.

interface Grant {
  addOIDCScope(scope: string): void;
  save(): Promise<string>;
}

interface ProviderContext {
  type: string;
  body: string;
  oidc: {
    provider: { Grant: new (owner: { accountId: string; clientId: string }) => Grant };
    session: { accountId: string };
    client: { clientId: string };
  };
}

/** The part of oidc-provider used here; it has no types. */
interface Library {
  Provider: new (
    issuer: string,
    options: Record<string, unknown>,
  ) => {
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: Record<string, unknown>): Promise<void>;
  };
}

const libraryName: string = 'oidc-provider';
const { Provider } = (await import(libraryName)) as Library;
const [port = '0', client = '{}'] = process.argv.slice(2);

/** Claims of everybody who has signed in, by subject. */
const people = new Map<string, Record<string, unknown>>();
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const key = { ...privateKey.export({ format: 'jwk' }), kid: String(Date.now()), use: 'sig', alg: 'RS256' };

const page = (uid: string) => `<!doctype html><html lang="en"><title>Provider</title><h1>Who are you?</h1>
<form method="post" action="/interaction/${uid}"><label>Subject <input name="sub"></label> <label>Claims <input name="claims"></label>
<button>Sign in here</button><button name="refuse" value="1">Cancel</button></form>`;

async function readFields(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return new URLSearchParams(Buffer.concat(chunks).toString());
}

const server = createServer();
await new Promise<void>((resolve) => server.listen(Number(port), '127.0.0.1', resolve));
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const provider = new Provider(issuer, {
  clients: [JSON.parse(client)],
  jwks: { keys: [key] },
  cookies: { keys: ['a key of the tests'] },
  pkce: { required: () => true },
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
  findAccount: (_context: unknown, sub: string) => ({ accountId: sub, claims: () => ({ sub, ...people.get(sub) }) }),
  renderError(context: ProviderContext, out: unknown) {
    context.type = 'text/plain';
    context.body = JSON.stringify(out);
  },
  // Everybody consents.
  async loadExistingGrant({ oidc }: ProviderContext) {
    const grant = new oidc.provider.Grant({ accountId: oidc.session.accountId, clientId: oidc.client.clientId });
    grant.addOIDCScope('openid email profile');
    await grant.save();
    return grant;
  },
});

const handle = provider.callback();

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, uid] = /^\/interaction\/([\w-]+)$/.exec(request.url ?? '') ?? [];
  if (uid === undefined) return handle(request, response);
  if (request.method === 'GET') {
    response.setHeader('content-type', 'text/html').end(page(uid));
    return undefined;
  }
  const fields = await readFields(request);
  const sub = fields.get('sub') ?? '';
  if (fields.has('refuse')) return provider.interactionFinished(request, response, { error: 'access_denied' });
  people.set(sub, JSON.parse(fields.get('claims') ?? '{}') as Record<string, unknown>);
  return provider.interactionFinished(request, response, { login: { accountId: sub } });
}

server.on('request', (request: IncomingMessage, response: ServerResponse) => {
  answer(request, response).catch(() => response.destroy());
});

console.log(JSON.stringify({ issuer }));
process.stdin.on('end', () => process.exit(0)).resume();
