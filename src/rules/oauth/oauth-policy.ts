import type { Scope, AppTrust } from '../accounts/access.ts';
import { createHash } from 'node:crypto';
import { isScope, isWithin, parseScopes } from './oauth-scopes.ts';
import { isOwnResource } from './own-resource.ts';
import { isRegistered } from './redirect-uri.ts';

/** Lifetimes of codes, tokens, and grants (docs/reference/wire-format.md#token-lifetimes). */
export const oauthLifetimes = {
  codeMs: 10 * 60 * 1000,
  accessMs: 24 * 60 * 60 * 1000,
  refreshMs: 30 * 24 * 60 * 60 * 1000,
  deviceCodeMs: 10 * 60 * 1000,
} as const;

/**
 * A response with new tokens is sent no sooner than this after their creation. A request with the same code or refresh token within
 * this time was sent before anyone received the response: the two are concurrent, and the token was not stolen and reused.
 */
export const raceWindowMs = 250;

/** Codes of RFC 6749, "Error Response" of authorization and token endpoint, and RFC 8628. */
export type OauthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'access_denied'
  | 'authorization_pending'
  | 'slow_down'
  | 'expired_token'
  | 'server_error'
  | 'temporarily_unavailable';

export interface OauthError {
  error: OauthErrorCode;
  description: string;
}

export const appKinds = ['team', 'trusted_team', 'trusted_public'] as const;
export type AppKind = (typeof appKinds)[number];

const trustOf: Record<AppKind, AppTrust> = { team: null, trusted_team: 'team', trusted_public: 'public' };

/** Whose trust an application has; a trusted one is not limited by scopes. */
export function trustOfApp(kind: AppKind): AppTrust {
  return trustOf[kind];
}

/** What the rules need to know about an application. */
export interface AppFacts {
  kind: AppKind;
  redirectUris: readonly string[];
  scopes: readonly Scope[];
}

/** An authorization request that can be shown to its user. */
export interface AuthorizeRequest {
  clientId: string;
  redirectUri: string;
  scopes: readonly Scope[];
  state: string | undefined;
  challenge: string;
}

/** Why an authorization request cannot be shown to a user. */
export type LinkMistake = 'no_client_id' | 'unknown_client' | 'no_redirect_uri' | 'foreign_redirect_uri';

export type AuthorizeVerdict =
  | { kind: 'ask'; request: AuthorizeRequest }
  /** Reported to the application, by a redirect. */
  | { kind: 'answer'; redirectUri: string; state: string | undefined; problem: OauthError }
  /** Shown to the user: the redirect URI in the request cannot be trusted. */
  | { kind: 'show'; mistake: LinkMistake };

type Parameters = Readonly<Record<string, string>>;

function readRequestedScopes(text: string | undefined, app: AppFacts): readonly Scope[] | OauthError {
  if (text === undefined) return app.scopes;
  const scopes = parseScopes(text);
  if (!scopes) {
    const unknown = text.split(' ').find((word) => word !== '' && !isScope(word));
    const description = unknown === undefined ? 'scope must not be empty' : 'scope contains an unknown scope';
    return { error: 'invalid_scope', description };
  }
  if (isWithin(scopes, app.scopes)) return scopes;
  return { error: 'invalid_scope', description: 'scope asks for more than the application is registered for' };
}

function findProblem(parameters: Parameters): OauthError | null {
  const refuse = (description: string): OauthError => ({ error: 'invalid_request', description });
  const { response_type: type, response_mode: mode, code_challenge: challenge, code_challenge_method: method } = parameters;
  if (type !== undefined && type !== 'code') {
    return { error: 'unsupported_response_type', description: 'response_type must be code' };
  }
  if (mode !== undefined && mode !== 'query') return refuse('response_mode must be query');
  if (parameters.request !== undefined || parameters.request_uri !== undefined)
    return refuse('request objects are not supported');
  if (challenge === undefined) return refuse('code_challenge is required');
  if (method !== 'S256') return refuse('code_challenge_method must be S256');
  if (!/^[\w-]{43}$/.test(challenge)) return refuse('code_challenge must be a SHA-256 in base64url');
  return null;
}

/** The problem with the resource for which a request wants a token; none if it names none. */
export function findTargetProblem(resource: string | undefined, publicUrl: string): OauthError | null {
  if (resource === undefined || isOwnResource(resource, publicUrl)) return null;
  return { error: 'invalid_target', description: `resource must be a URL of this service, such as ${publicUrl}/mcp` };
}

/** Checks a request to `/oauth/authorize`. `app` is the application of its client_id, if it exists. */
export function checkAuthorization(parameters: Parameters, app: AppFacts | null, publicUrl: string): AuthorizeVerdict {
  const { client_id: clientId, redirect_uri: redirectUri, state, code_challenge: challenge = '' } = parameters;
  if (clientId === undefined) return { kind: 'show', mistake: 'no_client_id' };
  if (!app) return { kind: 'show', mistake: 'unknown_client' };
  if (redirectUri === undefined) return { kind: 'show', mistake: 'no_redirect_uri' };
  if (!isRegistered(redirectUri, app.redirectUris)) return { kind: 'show', mistake: 'foreign_redirect_uri' };
  const answer = (problem: OauthError): AuthorizeVerdict => ({ kind: 'answer', redirectUri, state, problem });
  const problem = findProblem(parameters) ?? findTargetProblem(parameters.resource, publicUrl);
  if (problem) return answer(problem);
  const scopes = readRequestedScopes(parameters.scope, app);
  if ('error' in scopes) return answer(scopes);
  return { kind: 'ask', request: { clientId, redirectUri, scopes, state, challenge } };
}

/** The S256 challenge of a verifier, or null if it is malformed (RFC 7636). */
export function challengeOf(verifier: string): string | null {
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return null;
  return createHash('sha256').update(verifier).digest('base64url');
}
