import { scopes } from '../../rules/accounts/access.ts';
import { deviceGrantType } from './device-endpoint.ts';
import { answerJson } from './oauth-answer.ts';
import type { Handler, PageParts } from '../request/web-request.ts';

/** The metadata of the authorization server (RFC 8414). */
function describeServer(issuer: string) {
  const methods = ['client_secret_basic', 'client_secret_post', 'none'];
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    device_authorization_endpoint: `${issuer}/oauth/device_authorization`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    scopes_supported: [...scopes],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', deviceGrantType],
    token_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_methods_supported: methods,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${issuer}/openapi.json`,
  };
}

/**
 * What clients of a protected resource need to find it (RFC 9728): of the whole instance, or of a path below it. It lists no scopes: clients would request all of them, even those their application is not
 * registered for; without a scope parameter they get the registered ones.
 */
function describeResource(resource: string, issuer: string) {
  return {
    resource,
    authorization_servers: [issuer],
    bearer_methods_supported: ['header'],
    resource_name: 'Errand',
  };
}

function serve({ publicUrl }: PageParts, describe: (issuer: string) => object): Handler {
  return async () => answerJson(describe(publicUrl()), 200, { 'cache-control': 'public, max-age=300' });
}

/** The metadata of the server, for both `/.well-known` documents. */
export function buildMetadata(parts: PageParts): Handler {
  return serve(parts, describeServer);
}

/** The one about a protected resource. */
export function buildResourceMetadata(parts: PageParts, path: '' | '/mcp'): Handler {
  return serve(parts, (issuer) => describeResource(issuer + path, issuer));
}
