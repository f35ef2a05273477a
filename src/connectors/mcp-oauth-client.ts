import type { AuthorizationServerMetadata, OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { Fault } from '@errand/base/fault.ts';
import { randomBase62 } from '@errand/base/ids.ts';
import { isLoopbackName } from '@errand/base/net/loopback-name.ts';
import { explainMcp, type McpHttpClient } from './mcp-client.ts';
import { toResponse } from './mcp-fetch.ts';

/** The authorization server of an MCP server (RFC 9728, RFC 8414). */
export interface OauthServer {
  /** URL of the authorization server. */
  url: string;
  metadata: AuthorizationServerMetadata;
  /** The audience of tokens (RFC 8707), as named by the MCP server; undefined if it names none. */
  resource?: string;
  scope?: string;
}

export interface OauthTokens {
  access: string;
  refresh: string | null;
  /** Milliseconds since the epoch; null if the server does not say. */
  expiresAtMs: number | null;
}

const limits = { totalMs: 20_000, connectMs: 10_000, maxBytes: 256 * 1024 };
const longestMetadata = 64 * 1024;
const longestToken = 8192;

/** The `fetch` for metadata, registration, and tokens: to any URL that users may name, with bounded responses. */
function createOauthFetch({ httpClient, allowHttp }: McpHttpClient) {
  return async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const method = init.method === 'POST' ? 'POST' : 'GET';
    const headers = Object.fromEntries(new Headers(init.headers));
    const { body } = init;
    const text = typeof body === 'string' || body instanceof URLSearchParams ? { body: body.toString() } : {};
    return toResponse(
      await httpClient.request({ url: String(input), method, headers, allowHttp, redirects: 0, ...limits, ...text }),
    );
  };
}

function refuse(problem: string, cause?: unknown): Fault {
  return new Fault('failed_precondition', `Sign-in at this server is not possible: ${problem}.`, { cause });
}

/** The metadata URL in the header of the server's 401 response. */
async function askWhere(httpClient: McpHttpClient, url: string): Promise<{ resourceMetadataUrl?: URL; scope?: string }> {
  const { extractWWWAuthenticateParams } = await import('@modelcontextprotocol/client');
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(
    await createOauthFetch(httpClient)(url, { method: 'POST', headers, body }),
  );
  return { ...(resourceMetadataUrl && { resourceMetadataUrl }), ...(scope !== undefined && { scope }) };
}

/** What a server answers at a path that it does not have, or whatever the path. */
const absences = new Set([401, 403, 404, 405, 410, 501]);

/**
 * A server of revision 2025-03-26 that publishes nothing has its endpoints at fixed paths of its origin. Null if there is no page to
 * sign in at, as at servers that take keys.
 */
async function assumeEndpoints(httpClient: McpHttpClient, { origin }: URL): Promise<AuthorizationServerMetadata | null> {
  const page = `${origin}/authorize`;
  const ask = async (url: string) => (await createOauthFetch(httpClient)(url)).status;
  const status = await ask(page);
  if (absences.has(status)) return null;
  // Some answer every path with the page of an application.
  if (status === 200 && (await ask(`${page}-${randomBase62(12)}`)) === 200) return null;
  return {
    issuer: origin,
    authorization_endpoint: page,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
  };
}

async function discover(httpClient: McpHttpClient, url: string): Promise<OauthServer> {
  const { discoverOAuthServerInfo, checkResourceAllowed } = await import('@modelcontextprotocol/client');
  const { scope, ...where } = await askWhere(httpClient, url);
  const found = await discoverOAuthServerInfo(url, { ...where, fetchFn: createOauthFetch(httpClient) });
  const { authorizationServerUrl, resourceMetadata } = found;
  const isSilent = !found.authorizationServerMetadata && !resourceMetadata;
  const metadata = isSilent ? await assumeEndpoints(httpClient, new URL(url)) : found.authorizationServerMetadata;
  if (!metadata) throw refuse('it does not say how');
  if (JSON.stringify(metadata).length > longestMetadata) throw refuse('its metadata is too large');
  const resource = resourceMetadata?.resource;
  if (resource !== undefined && !checkResourceAllowed({ requestedResource: url, configuredResource: resource })) {
    throw refuse('its metadata describes another server');
  }
  const wanted = scope ?? resourceMetadata?.scopes_supported?.join(' ');
  return { url: authorizationServerUrl, metadata, ...(resource !== undefined && { resource }), ...(wanted && { scope: wanted }) };
}

/** Finds the authorization server of a server. Throws `failed_precondition` if there is none. */
export async function findOauthServer(httpClient: McpHttpClient, url: string): Promise<OauthServer> {
  try {
    return await discover(httpClient, url);
  } catch (error) {
    throw error instanceof Fault ? error : refuse(explainMcp(error), error);
  }
}

const registration = z.object({
  client_id: z.string().min(1).max(2048),
  client_secret: z.string().max(2048).optional(),
  token_endpoint_auth_method: z.string().max(64).optional(),
});

/** Registers this service there (RFC 7591). */
export async function registerThere(
  httpClient: McpHttpClient,
  { metadata, scope }: OauthServer,
  redirectUri: string,
): Promise<OAuthClientInformationMixed> {
  const place = metadata.registration_endpoint;
  if (place === undefined) throw refuse('it does not support dynamic client registration');
  const about = {
    client_name: 'Errand',
    redirect_uris: [redirectUri],
    application_type: isLoopbackName(new URL(redirectUri).hostname) ? 'native' : 'web',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    ...(scope !== undefined && { scope }),
  };
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  try {
    const answer = await createOauthFetch(httpClient)(place, { method: 'POST', headers, body: JSON.stringify(about) });
    if (!answer.ok) throw refuse(`it does not register this service (status ${answer.status})`);
    const { client_id, client_secret, token_endpoint_auth_method } = registration.parse(await answer.json());
    return {
      client_id,
      ...(client_secret !== undefined && { client_secret }),
      ...(token_endpoint_auth_method !== undefined && { token_endpoint_auth_method }),
    };
  } catch (error) {
    throw error instanceof Fault ? error : refuse(explainMcp(error), error);
  }
}

export interface Registered {
  server: OauthServer;
  client: OAuthClientInformationMixed;
  redirectUri: string;
}

/** The URL for the browser, and the PKCE verifier. */
export async function composeAuthorization({ server, client, redirectUri }: Registered, state: string) {
  const { startAuthorization } = await import('@modelcontextprotocol/client');
  const { metadata, resource, scope } = server;
  const started = await startAuthorization(server.url, {
    ...{ metadata, clientInformation: client, redirectUrl: redirectUri, state },
    ...(resource !== undefined && { resource }),
    ...(scope !== undefined && { scope }),
  });
  if (!/^https?:$/.test(started.authorizationUrl.protocol)) throw refuse('its sign-in page has no http or https URL');
  return { address: started.authorizationUrl.href, verifier: started.codeVerifier };
}

function readTokens(tokens: OAuthTokens, nowMs: number): OauthTokens {
  const { access_token: access, refresh_token: refresh = null, expires_in: seconds } = tokens;
  for (const token of [access, refresh ?? 'none']) {
    if (!/^[\x21-\x7e]+$/.test(token) || token.length > longestToken) throw refuse('it gives tokens that cannot be sent');
  }
  return { access, refresh, expiresAtMs: seconds === undefined ? null : nowMs + Math.min(seconds, 10 ** 9) * 1000 };
}

export interface CodeExchange {
  code: string;
  iss: string | undefined;
  verifier: string;
}

/** Exchanges the returned code for tokens. */
export async function exchangeCode(
  httpClient: McpHttpClient,
  registered: Registered,
  { code, iss, verifier }: CodeExchange,
  nowMs: number,
) {
  const { exchangeAuthorization } = await import('@modelcontextprotocol/client');
  const { server, client, redirectUri } = registered;
  const given = {
    ...{ metadata: server.metadata, clientInformation: client, authorizationCode: code, codeVerifier: verifier, redirectUri },
    ...(iss !== undefined && { iss }),
    ...(server.resource !== undefined && { resource: server.resource }),
    fetchFn: createOauthFetch(httpClient),
  };
  try {
    return readTokens(await exchangeAuthorization(server.url, given), nowMs);
  } catch (error) {
    throw error instanceof Fault ? error : refuse(explainMcp(error), error);
  }
}

/** Refreshes tokens; null if the server refuses. Rejects if it cannot be reached. */
export async function refreshMcpTokens(
  httpClient: McpHttpClient,
  { server, client }: Registered,
  refresh: string,
  nowMs: number,
) {
  const { OAuthError, refreshAuthorization } = await import('@modelcontextprotocol/client');
  const given = {
    ...{ metadata: server.metadata, clientInformation: client, refreshToken: refresh, fetchFn: createOauthFetch(httpClient) },
    ...(server.resource !== undefined && { resource: server.resource }),
  };
  try {
    return readTokens(await refreshAuthorization(server.url, given), nowMs);
  } catch (error) {
    if (error instanceof OAuthError) return null;
    throw error;
  }
}
