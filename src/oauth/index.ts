import { buildAuthorize } from './authorize.ts';
import { buildConnectorConsentPage } from './connector-consent-page.ts';
import { buildDeviceEndpoint, deviceGrantType, exchangeDeviceCode } from './device-endpoint.ts';
import { buildDevicePage } from './device-page.ts';
import { buildMetadata } from './metadata.ts';
import { buildRevocationEndpoint } from './revocation-endpoint.ts';
import { SessionDesk } from './session-desk.ts';
import { buildAccountPage } from './settings/account.ts';
import { buildAppPage } from './settings/app.ts';
import { buildAppsPage } from './settings/apps.ts';
import { buildConnectionsPage } from './settings/connections.ts';
import { buildConnectorsPage, buildSignInReturn } from './settings/connectors.ts';
import { buildKeysPage } from './settings/keys.ts';
import { buildTeamAcceptPage } from './settings/team-accept.ts';
import { buildTeamPage } from './settings/team.ts';
import { buildSetUp } from './set-up.ts';
import { buildSignIn, buildSignOut } from './sign-in.ts';
import type { SettingsPage } from './signed-in.ts';
import { TokenRate } from './token-rate.ts';
import { buildTokenEndpoint } from './token-endpoint.ts';
import type { Fields, Handler, WebParts } from './web-request.ts';
import { settingsPaths } from './web-routes.ts';

/** What answers at each address of the table, by method and path. */
export function buildWeb(parts: WebParts, readQuery: (text: string) => Fields): ReadonlyMap<string, Handler> {
  const desk = new SessionDesk(parts);
  const rate = new TokenRate(parts.limiter);
  const [metadata, authorize] = [buildMetadata(parts), buildAuthorize({ parts, desk, readQuery })];
  const [signIn, setUp] = [buildSignIn(parts, desk), buildSetUp(parts, desk)];
  const settings: Record<(typeof settingsPaths)[number], SettingsPage> = {
    '/settings': buildAccountPage(parts, desk),
    '/settings/keys': buildKeysPage(parts, desk),
    '/settings/connections': buildConnectionsPage(parts, desk),
    '/settings/connectors': buildConnectorsPage(parts, desk),
    '/settings/apps': buildAppsPage(parts, desk),
    '/settings/app': buildAppPage(parts, desk),
    '/settings/team': buildTeamPage(parts, desk),
    '/team/accept': buildTeamAcceptPage(parts, desk),
    '/device': buildDevicePage(parts, desk),
    '/oauth-apps/connector-consent': buildConnectorConsentPage(parts, desk),
  };
  return new Map([
    ...settingsPaths.flatMap((path): [string, Handler][] => [
      [`GET ${path}`, settings[path].show],
      [`POST ${path}`, settings[path].submit],
    ]),
    ['GET /.well-known/oauth-authorization-server', metadata],
    ['GET /.well-known/openid-configuration', metadata],
    ['POST /oauth/token', buildTokenEndpoint(parts, rate, [[deviceGrantType, exchangeDeviceCode(parts)]])],
    ['POST /oauth/device_authorization', buildDeviceEndpoint(parts, rate)],
    ['POST /oauth/revoke', buildRevocationEndpoint(parts, rate)],
    ['GET /oauth/authorize', authorize.show],
    ['POST /oauth/authorize', authorize.submit],
    ['GET /openapi/oauth', authorize.show],
    ['POST /openapi/oauth', authorize.submit],
    ['GET /settings/connectors/callback', buildSignInReturn(parts, desk)],
    ['GET /sign-in', signIn.show],
    ['POST /sign-in', signIn.submit],
    ['POST /sign-out', buildSignOut(parts, desk)],
    ['GET /set-up', setUp.show],
    ['POST /set-up', setUp.submit],
  ]);
}
