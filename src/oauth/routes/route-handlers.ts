import { buildAuthorize } from '../pages/consent/authorize-page.ts';
import { buildConnectorConsentPage } from '../pages/connectors/connector-consent-page.ts';
import { buildSignInReturn } from '../pages/connectors/connector-sign-in-return.ts';
import { buildDeviceEndpoint, deviceGrantType, exchangeDeviceCode } from '../authorization-server/device-endpoint.ts';
import { buildDevicePage } from '../pages/consent/device-page.ts';
import { forPeople } from '../pages/session/page-handler.ts';
import { buildMetadata, buildResourceMetadata } from '../authorization-server/server-metadata.ts';
import type { PageHandler } from '../pages/session/page-request.ts';
import { buildRevocationEndpoint } from '../authorization-server/revocation-endpoint.ts';
import { SessionService } from '../pages/session/session-service.ts';
import { buildSetUp } from '../pages/sign-in/set-up-page.ts';
import { buildForgottenPassword } from '../pages/sign-in/forgotten-password.ts';
import { buildPasswordLinkPage } from '../pages/sign-in/password-link-page.ts';
import { buildJoinPage } from '../pages/sign-in/join-page.ts';
import { buildSecondStepPage } from '../pages/sign-in/second-step-page.ts';
import { buildPasskeySignIn } from '../pages/sign-in/passkey-sign-in.ts';
import { buildSignIn, buildSignOut } from '../pages/sign-in/password-sign-in.ts';
import type { SignedInPage } from '../pages/session/signed-in-page.ts';
import { SsoGateway } from '../pages/sign-in/sso-gateway.ts';
import { buildLinkPage } from '../pages/sign-in/sso-link-page.ts';
import { buildSso } from '../pages/sign-in/sso-sign-in.ts';
import { TokenRate } from '../authorization-server/token-rate.ts';
import { buildTokenEndpoint } from '../authorization-server/token-endpoint.ts';
import type { Fields, Handler, PageParts } from '../request/web-request.ts';
import { signedInPaths } from './route-table.ts';

/** The handlers of the route table, by method and path. */
export function buildWeb(parts: PageParts, readQuery: (text: string) => Fields): ReadonlyMap<string, Handler> {
  const sessions = new SessionService(parts);
  const forVisitor = (handle: PageHandler) => forPeople(sessions, handle);
  const rate = new TokenRate(parts.limiter);
  const metadata = buildMetadata(parts);
  const authorize = buildAuthorize({ parts, readQuery });
  const ssoGateway = new SsoGateway(parts, sessions);
  const [signIn, sso, setUp] = [buildSignIn(parts, sessions), buildSso(parts, sessions, ssoGateway), buildSetUp(parts, sessions)];
  const [secondStep, join] = [buildSecondStepPage(parts, sessions), buildJoinPage(parts, sessions)];
  const [forgotten, passwordLink] = [buildForgottenPassword(parts, sessions), buildPasswordLinkPage(parts, sessions)];
  const signedIn: Record<(typeof signedInPaths)[number], SignedInPage> = {
    '/device': buildDevicePage(parts),
    '/sign-in/link': buildLinkPage(parts, ssoGateway),
    '/oauth-apps/connector-consent': buildConnectorConsentPage(parts),
  };
  return new Map([
    ...signedInPaths.flatMap((path): [string, Handler][] => [
      [`GET ${path}`, forVisitor(signedIn[path].show)],
      [`POST ${path}`, forVisitor(signedIn[path].submit)],
    ]),
    ['GET /.well-known/oauth-authorization-server', metadata],
    ['GET /.well-known/openid-configuration', metadata],
    ['GET /.well-known/oauth-protected-resource/mcp', buildResourceMetadata(parts, '/mcp')],
    ['GET /.well-known/oauth-protected-resource', buildResourceMetadata(parts, '')],
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
    ['POST /sign-in/passkey', forVisitor(buildPasskeySignIn(parts, sessions))],
    ['GET /sign-in/code', forVisitor(secondStep.show)],
    ['POST /sign-in/code', forVisitor(secondStep.submit)],
    ['GET /sign-in/join', forVisitor(join.show)],
    ['POST /sign-in/join', forVisitor(join.submit)],
    ['GET /sign-in/forgot', forVisitor(forgotten.show)],
    ['POST /sign-in/forgot', forVisitor(forgotten.submit)],
    ['GET /sign-in/password', forVisitor(passwordLink.show)],
    ['POST /sign-in/password', forVisitor(passwordLink.submit)],
    ['GET /sign-in/oidc', forVisitor(sso.begin)],
    ['GET /sign-in/oidc/callback', forVisitor(sso.finish)],
    ['POST /sign-out', forVisitor(buildSignOut(parts, sessions))],
    ['GET /set-up', forVisitor(setUp.show)],
    ['POST /set-up', forVisitor(setUp.submit)],
  ]);
}
