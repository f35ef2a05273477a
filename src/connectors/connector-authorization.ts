import type { OAuthClientInformationMixed } from '@modelcontextprotocol/client';
import type { Clock } from '@errand/base/clock.ts';
import { Fault } from '@errand/base/fault.ts';
import { randomBase62 } from '@errand/base/ids.ts';
import type { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import { joinScopes } from '../rules/connectors/connector.ts';
import { saveSignIn } from '../store/connectors/connector-sign-ins.ts';
import {
  type Connector,
  type ConnectorKey,
  connectorPlace,
  getConnector,
  type ConnectorSignIn,
} from '../store/connectors/connectors.ts';
import type { Database } from '../store/db/database.ts';
import { endWith, type McpHttpClient } from './mcp-client.ts';
import { SignInNeeded } from './mcp-fetch.ts';
import {
  composeAuthorization,
  exchangeCode,
  findOauthServer,
  type OauthTokens,
  type Registered,
  refreshMcpTokens,
  registerThere,
} from './mcp-oauth-client.ts';

export interface SignInParts {
  database: Database;
  clock: Clock;
  httpClient: McpHttpClient;
  /** Null if this process cannot store secrets. */
  box: SealedBox | null;
}

/** The sealed data of a connector. */
interface Known {
  /** Supplied by the user for a server without dynamic registration. */
  client?: OAuthClientInformationMixed;
  registered?: Registered;
  tokens?: OauthTokens;
  /** Scopes that the server has found missing, beside those that it names before a sign-in. */
  scope?: string;
  /** A started sign-in, by the digest of its `state`. */
  pending?: { digest: string; verifier: string; untilMs: number };
}

/** What a browser returns from the server. */
export interface SignInReturn {
  state: string;
  code: string;
  iss: string | undefined;
}

/** How long a user has to sign in. */
const signInTtlMs = 15 * 60_000;
/** Tokens that expire this soon are refreshed before use. */
const marginMs = 60_000;
const tries = 5;

const stale = () =>
  new Fault('failed_precondition', 'This sign-in has expired or was not started here. Start again on the connectors page.');

/** The user's sign-ins at MCP servers: started and finished in a browser, used and refreshed by workers. Tokens are sealed at rest. */
export class ConnectorSignIns {
  readonly #parts: SignInParts;
  readonly #renewing = new Map<string, Promise<string>>();

  constructor(parts: SignInParts) {
    this.#parts = parts;
  }

  #open(key: ConnectorKey, { oauth }: Pick<Connector, 'oauth'>): Known {
    if (oauth === null) return {};
    return JSON.parse(this.#box.open(oauth, connectorPlace(key))) as Known;
  }

  get #box(): SealedBox {
    const { box } = this.#parts;
    if (box) return box;
    throw new Fault('failed_precondition', 'This instance cannot store secrets; its operator has to set ERRAND_SECRET.');
  }

  /** Reads, changes, and stores, and retries after a concurrent change. A change to null leaves everything unchanged. */
  async #change(
    key: ConnectorKey,
    change: (known: Known, signIn: ConnectorSignIn | null) => { known: Known; signIn: ConnectorSignIn | null } | null,
  ): Promise<boolean> {
    for (let left = tries; left > 0; left -= 1) {
      const connector = await this.#parts.database.run(getConnector, key);
      const changed = change(this.#open(key, connector), connector.signIn);
      if (!changed) return false;
      const oauth = this.#box.seal(JSON.stringify(changed.known), connectorPlace(key));
      const kept = { ...key, before: connector.oauth, oauth, signIn: changed.signIn };
      if (await this.#parts.database.run(saveSignIn, kept)) return true;
    }
    throw new Fault('unavailable', 'The connector is being changed by another request; try again.');
  }

  async #register({ url }: Connector, known: Known, redirectUri: string, signal: AbortSignal): Promise<Registered> {
    const httpClient = endWith(this.#parts.httpClient, signal);
    const found = await findOauthServer(httpClient, url);
    const server = known.scope === undefined ? found : { ...found, scope: joinScopes(found.scope, known.scope) };
    const before = known.registered;
    // A registration is valid for one server, one redirect URI, and its scopes.
    const isSame =
      before?.redirectUri === redirectUri &&
      before.server.metadata.issuer === server.metadata.issuer &&
      before.server.scope === server.scope;
    const registered = isSame ? before.client : null;
    const client = known.client ?? registered ?? (await registerThere(httpClient, server, redirectUri));
    return { server, client, redirectUri };
  }

  /** The sealed data of a connector whose server already has this service registered. */
  sealClient(client: OAuthClientInformationMixed, key: ConnectorKey): string {
    return this.#box.seal(JSON.stringify({ client } satisfies Known), connectorPlace(key));
  }

  /** Starts a sign-in and returns the URL for the user's browser. */
  async begin(key: ConnectorKey, redirectUri: string, signal: AbortSignal): Promise<string> {
    const connector = await this.#parts.database.run(getConnector, key);
    if (connector.signIn === null) throw new Fault('failed_precondition', 'This connector does not use sign-in.');
    const registered = await this.#register(connector, this.#open(key, connector), redirectUri, signal);
    const state = `${key.connectorId}.${randomBase62(43)}`;
    const { address, verifier } = await composeAuthorization(registered, state);
    const pending = { digest: digestSecret(state), verifier, untilMs: this.#parts.clock.now() + signInTtlMs };
    await this.#change(key, (known, signIn) => ({ known: { ...known, registered, pending }, signIn }));
    return address;
  }

  /** Finishes a sign-in started by the same account. Each works once. */
  async finish(key: ConnectorKey, { state, code, iss }: SignInReturn): Promise<void> {
    const digest = digestSecret(state);
    const begun: { registered: Registered; verifier: string }[] = [];
    await this.#change(key, (known) => {
      const { pending, registered, ...rest } = known;
      if (!registered || pending?.digest !== digest || pending.untilMs < this.#parts.clock.now()) throw stale();
      begun.splice(0, 1, { registered, verifier: pending.verifier });
      return { known: { ...rest, registered }, signIn: rest.tokens ? 'granted' : 'needed' };
    });
    const [started] = begun;
    if (!started) throw stale();
    const { registered, verifier } = started;
    const tokens = await exchangeCode(this.#parts.httpClient, registered, { code, iss, verifier }, this.#parts.clock.now());
    await this.#change(key, (known) => ({ known: { ...known, registered, tokens }, signIn: 'granted' }));
  }

  /**
   * The header that proves the sign-in; none if the server has no sign-in.
   * @param refused the token that the server has just rejected: it is not sent again
   */
  async proveTo(key: ConnectorKey, connector: Connector, refused: string | null = null): Promise<Record<string, string>> {
    if (connector.signIn === null) return {};
    const { tokens, scope } = this.#open(key, connector);
    if (!tokens || connector.signIn === 'needed') throw new SignInNeeded(scope);
    const endsSoon = tokens.expiresAtMs !== null && tokens.expiresAtMs - marginMs < this.#parts.clock.now();
    const isUsable = tokens.access !== refused && !(endsSoon && tokens.refresh !== null);
    return { Authorization: `Bearer ${isUsable ? tokens.access : await this.#renewOnce(key, tokens)}` };
  }

  /** Requires a sign-in for more scopes, as the server does with this token. Returns all that it has to ask for. */
  async widen(key: ConnectorKey, token: string, scope: string): Promise<string> {
    let all = scope;
    await this.#change(key, (known) => {
      all = joinScopes(known.registered?.server.scope, known.scope, scope);
      return known.tokens?.access === token ? { known: { ...known, scope: all }, signIn: 'needed' } : null;
    });
    return all;
  }

  #renewOnce(key: ConnectorKey, tokens: OauthTokens): Promise<string> {
    const place = connectorPlace(key);
    const renewing = this.#renewing.get(place) ?? this.#renew(key, tokens).finally(() => this.#renewing.delete(place));
    this.#renewing.set(place, renewing);
    return renewing;
  }

  async #renew(key: ConnectorKey, old: OauthTokens): Promise<string> {
    const { database, httpClient, clock } = this.#parts;
    const current = this.#open(key, await database.run(getConnector, key));
    const { tokens, registered } = current;
    if (tokens && tokens.access !== old.access) return tokens.access;
    const renewed =
      registered && old.refresh !== null ? await refreshMcpTokens(httpClient, registered, old.refresh, clock.now()) : null;
    if (!renewed) {
      // Another process may have used a one-time token first: then its result counts.
      const isOver = await this.#change(key, (known) =>
        known.tokens && known.tokens.access !== old.access ? null : { known, signIn: 'needed' },
      );
      if (isOver) throw new SignInNeeded();
      return this.#renew(key, old);
    }
    const kept = { ...renewed, refresh: renewed.refresh ?? old.refresh };
    await this.#change(key, (known) => ({ known: { ...known, tokens: kept }, signIn: 'granted' }));
    return kept.access;
  }
}
