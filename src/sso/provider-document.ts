import type { ProviderFetch } from './provider-fetch.ts';
import { readProviderUrl } from './provider-fetch.ts';
import { ProviderProblem } from './provider-problem.ts';

/** The part of the provider's discovery document (OpenID Connect Discovery 1.0) that is used here, validated. */
export interface ProviderDocument {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  jwks_uri: string;
  userinfo_endpoint?: string;
  /** The offered algorithms, without symmetric ones and without `none`. */
  id_token_signing_alg_values_supported: string[];
  token_endpoint_auth_methods_supported: string[];
  authorization_response_iss_parameter_supported: boolean;
}

const signingAlgorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];

function readTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

function parseObject(body: Buffer): Record<string, unknown> {
  try {
    const value = JSON.parse(body.toString('utf8')) as unknown;
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Reported below.
  }
  throw new ProviderProblem('broken', 'its discovery document is not a JSON object');
}

/** The canonical form of an issuer: some write a trailing slash in one place and none in another. */
export function withoutSlash(text: string): string {
  return text.replace(/\/$/, '');
}

/** The setting may or may not have a trailing slash; the provider's spelling is the one in its tokens. */
function readIssuer(found: unknown, issuer: string): string {
  if (typeof found === 'string' && withoutSlash(found) === withoutSlash(issuer)) return found;
  const named = typeof found === 'string' ? found.slice(0, 200) : 'nothing';
  throw new ProviderProblem('broken', `it calls itself ${named}, which does not match ERRAND_OIDC_ISSUER`);
}

/** Throws a `ProviderProblem` for a document that does not allow sign-in. */
function readProviderDocument(body: Buffer, wanted: string): ProviderDocument {
  const given = parseObject(body);
  const issuer = readIssuer(given.issuer, wanted);
  const address = (name: string) => readProviderUrl(given[name], wanted, name).href;
  const offered = given.id_token_signing_alg_values_supported;
  const algorithms = offered === undefined ? ['RS256'] : readTexts(offered).filter((name) => signingAlgorithms.includes(name));
  if (algorithms.length === 0) {
    throw new ProviderProblem(
      'broken',
      'it offers no asymmetric signing algorithm: configure one for the client there, such as RS256',
    );
  }
  const methods = given.token_endpoint_auth_methods_supported;
  return {
    issuer,
    authorization_endpoint: address('authorization_endpoint'),
    token_endpoint: address('token_endpoint'),
    jwks_uri: address('jwks_uri'),
    ...(given.userinfo_endpoint !== undefined && { userinfo_endpoint: address('userinfo_endpoint') }),
    id_token_signing_alg_values_supported: algorithms,
    token_endpoint_auth_methods_supported: methods === undefined ? ['client_secret_basic'] : readTexts(methods),
    authorization_response_iss_parameter_supported: given.authorization_response_iss_parameter_supported === true,
  };
}

/** Fetches the provider's discovery document. */
export async function fetchDocument(issuer: string, fetch: ProviderFetch): Promise<ProviderDocument> {
  const address = `${withoutSlash(issuer)}/.well-known/openid-configuration`;
  const { status, body } = await fetch(address, { method: 'GET', headers: { accept: 'application/json' } });
  if (status >= 500) throw new ProviderProblem('unreachable', `${address} answers with ${status}`);
  if (status !== 200) throw new ProviderProblem('broken', `${address} answers with ${status}; is ERRAND_OIDC_ISSUER right?`);
  return readProviderDocument(body, issuer);
}
