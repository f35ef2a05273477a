import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A user of the provider. */
export interface Person {
  sub: string;
  email?: string;
  email_verified?: boolean;
}

export interface PeerClient {
  client_id: string;
  client_secret?: string;
  redirect_uris: readonly string[];
  token_endpoint_auth_method?: string;
}

const entry = fileURLToPath(new URL('./oidc-peer-process.ts', import.meta.url));

/** A third-party OpenID Connect provider (oidc-provider) in a separate process. */
export class OidcPeer {
  readonly issuer: string;
  readonly #client: PeerClient;
  #stop: () => Promise<void>;

  private constructor(issuer: string, client: PeerClient, stop: () => Promise<void>) {
    this.issuer = issuer;
    this.#client = client;
    this.#stop = stop;
  }

  static async #run(port: string, client: PeerClient): Promise<{ issuer: string; stop: () => Promise<void> }> {
    const child = spawn(process.execPath, ['--no-warnings', entry, port, JSON.stringify(client)], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const lines = createInterface({ input: child.stdout });
    for await (const line of lines) {
      if (!line.startsWith('{"issuer"')) continue;
      const { issuer } = JSON.parse(line) as { issuer: string };
      const stop = async () => {
        if (child.exitCode !== null) return;
        const exited = once(child, 'exit');
        child.stdin.end();
        await exited;
      };
      return { issuer, stop };
    }
    throw new Error('the provider ended before it was ready');
  }

  static async start(client: PeerClient): Promise<OidcPeer> {
    const { issuer, stop } = await OidcPeer.#run('0', client);
    return new OidcPeer(issuer, client, stop);
  }

  async stop(): Promise<void> {
    await this.#stop();
  }

  /** Restarts at the same URL, with another key and without any state. */
  async restart(): Promise<void> {
    await this.stop();
    this.#stop = (await OidcPeer.#run(new URL(this.issuer).port, this.#client)).stop;
  }

  /** Signs in a person who was sent to `address`, or refuses; returns the callback URL. */
  async visit(address: string, person: Person | null): Promise<string> {
    const cookies = new Map<string, string>();
    const send = async (target: string, init: RequestInit = {}) => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const url = new URL(target, this.issuer);
      const response = await fetch(url, { ...init, redirect: 'manual', headers: { cookie } });
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (value === '') cookies.delete(name);
        else cookies.set(name, value);
      }
      const text = await response.text();
      const location = response.headers.get('location');
      if (location === null) throw new Error(`the provider answers ${response.status}: ${text.slice(0, 500)}`);
      return new URL(location, url).href;
    };
    const { sub = '', ...claims } = person ?? {};
    const fields = person ? { sub, claims: JSON.stringify(claims) } : { refuse: '1' };
    const page = await send(address);
    const resume = await send(page, { method: 'POST', body: new URLSearchParams(fields) });
    return send(resume);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}
