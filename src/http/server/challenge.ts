import type { FastifyRequest } from 'fastify';
import type { Fault } from '@errand/base/fault.ts';
import { type Scope, scopes as allScopes } from '../../rules/accounts/access.ts';
import { isLegacyPath } from '../../legacy/fault-body.ts';
import { mcpPath } from './cors.ts';

/** Whether the credential that was looked at is an access token, or a key in its place. */
function bringsToken({ headers }: FastifyRequest, isLegacy: boolean): boolean {
  return /^bearer\b/i.test(headers.authorization ?? '') && !(isLegacy && headers.api_key !== undefined);
}

/** The scopes to ask for: a new token replaces the old one, so those that it has are among them. */
function listScopes(granted: readonly Scope[], needed: readonly string[]): string {
  return allScopes.filter((scope) => granted.includes(scope) || needed.includes(scope)).join(' ');
}

/**
 * What clients of protected resources are told with a 401 or 403 (RFC 6750, 3; RFC 9728, 5): where to get a token, and what is wrong with
 * theirs. Null for other responses.
 */
export function writeChallenge(request: FastifyRequest, path: string, fault: Fault, publicUrl: string): string | null {
  const isLegacy = isLegacyPath(path);
  const isProtected = isLegacy || path === mcpPath || path.startsWith('/v2/');
  if (!isProtected || (fault.status !== 401 && fault.status !== 403)) return null;
  const place = `resource_metadata="${publicUrl}/.well-known/oauth-protected-resource${path === mcpPath ? mcpPath : ''}"`;
  const via = request.caller?.principal.via;
  if (fault.neededScopes.length > 0 && via?.kind === 'oauth')
    return `Bearer error="insufficient_scope", scope="${listScopes(via.scopes, fault.neededScopes)}", ${place}`;
  const isInvalid = fault.status === 401 && bringsToken(request, isLegacy);
  return `Bearer ${isInvalid ? 'error="invalid_token", ' : ''}${place}`;
}
