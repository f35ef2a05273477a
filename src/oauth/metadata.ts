import { scopes } from '../rules/access.ts';
import { deviceGrantType } from './device-endpoint.ts';
import { answerJson } from './oauth-answer.ts';
import type { Handler, WebParts } from './web-request.ts';

/** The authorization server as clients find it (RFC 8414). */
export function describeServer(issuer: string) {
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

/** Both documents of `/.well-known`. */
export function buildMetadata({ publicUrl }: WebParts): Handler {
  return async () => answerJson(describeServer(publicUrl()), 200, { 'cache-control': 'public, max-age=300' });
}
