import { buildAuthorize } from './authorize.ts';
import { buildConnectorConsentPage } from './connector-consent-page.ts';
import { buildSignInReturn } from './connector-sign-in-return.ts';
import { buildDeviceEndpoint, deviceGrantType, exchangeDeviceCode } from './device-endpoint.ts';
import { buildDevicePage } from './device-page.ts';
import { forPeople } from './for-people.ts';
import { buildMetadata, buildResourceMetadata } from './metadata.ts';
import type { PageHandler } from './page-request.ts';
import { buildRevocationEndpoint } from './revocation-endpoint.ts';
import { SessionDesk } from './session-desk.ts';
import { buildSetUp } from './set-up.ts';
import { buildSignIn, buildSignOut } from './sign-in.ts';
import type { SignedInPage } from './signed-in.ts';
import { SsoDesk } from './sso-desk.ts';
import { buildLinkPage } from './sso-link.ts';
import { buildSso } from './sso.ts';
import { TokenRate } from './token-rate.ts';
import { buildTokenEndpoint } from './token-endpoint.ts';
import type { Fields, Handler, WebParts } from './web-request.ts';
import { signedInPaths } from './web-routes.ts';

/** What answers at each address of the table, by method and path. */
export function buildWeb(parts: WebParts, readQuery: (text: string) => Fields): ReadonlyMap<string, Handler> {
  const desk = new SessionDesk(parts);
  const forVisitor = (handle: PageHandler) => forPeople(desk, handle);
  const rate = new TokenRate(parts.limiter);
  const [metadata, resource] = [buildMetadata(parts), buildResourceMetadata(parts)];
  const authorize = buildAuthorize({ parts, readQuery });
  const ssoDesk = new SsoDesk(parts, desk);
  const [signIn, sso, setUp] = [buildSignIn(parts, desk), buildSso(parts, desk, ssoDesk), buildSetUp(parts, desk)];
  const signedIn: Record<(typeof signedInPaths)[number], SignedInPage> = {
    '/device': buildDevicePage(parts),
    '/sign-in/link': buildLinkPage(parts, ssoDesk),
    '/oauth-apps/connector-consent': buildConnectorConsentPage(parts),
  };
  return new Map([
    ...signedInPaths.flatMap((path): [string, Handler][] => [
      [`GET ${path}`, forVisitor(signedIn[path].show)],
      [`POST ${path}`, forVisitor(signedIn[path].submit)],
    ]),
    ['GET /.well-known/oauth-authorization-server', metadata],
    ['GET /.well-known/openid-configuration', metadata],
    ['GET /.well-known/oauth-protected-resource/mcp', resource],
    ['GET /.well-known/oauth-protected-resource', resource],
    ['POST /oauth/token', buildTokenEndpoint(parts, rate, [[deviceGrantType, exchangeDeviceCode(parts)]])],
    ['POST /oauth/device_authorization', buildDeviceEndpoint(parts, rate)],
    ['POST /oauth/revoke', buildRevocationEndpoint(parts, rate)],
    ['GET /oauth/authorize', forVisitor(authorize.show)],
    ['POST /oauth/authorize', forVisitor(authorize.submit)],
    ['GET /openapi/oauth', forVisitor(authorize.show)],
    ['POST /openapi/oauth', forVisitor(authorize.submit)],
    ['GET /settings/connectors/callback', forVisitor(buildSignInReturn(parts))],
    ['GET /sign-in', forVisitor(signIn.show)],
    ['POST /sign-in', forVisitor(signIn.submit)],
    ['GET /sign-in/oidc', forVisitor(sso.begin)],
    ['GET /sign-in/oidc/callback', forVisitor(sso.finish)],
    ['POST /sign-out', forVisitor(buildSignOut(parts, desk))],
    ['GET /set-up', forVisitor(setUp.show)],
    ['POST /set-up', forVisitor(setUp.submit)],
  ]);
}
