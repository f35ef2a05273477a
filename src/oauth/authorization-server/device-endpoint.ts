import { randomInt } from 'node:crypto';
import { randomBase62 } from '@errand/base/ids.ts';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import { oauthLifetimes } from '../../rules/oauth/oauth-policy.ts';
import { isWithin, parseScopes } from '../../rules/oauth/oauth-scopes.ts';
import { makeUserCode } from '../../rules/oauth/user-code.ts';
import { createDevice, deviceCode, pollDevice } from '../../store/oauth/oauth-devices.ts';
import { authenticateClient } from './client-authentication.ts';
import { forApplications } from './endpoint-handler.ts';
import { answerJson, checkTarget, OauthFault } from './oauth-answer.ts';
import { type Grant, redeem, requireField } from './token-endpoint.ts';
import type { TokenRate } from './token-rate.ts';
import type { Handler, PageParts } from '../request/web-request.ts';

export const deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code';

/** The minimum polling interval. */
const intervalMs = 5000;

/** `POST /oauth/device_authorization` (RFC 8628): a device starts waiting for its user. */
export function buildDeviceEndpoint({ database, clock, publicUrl }: PageParts, rate: TokenRate): Handler {
  return forApplications(rate, async (request) => {
    const app = await authenticateClient(request, database, rate);
    checkTarget(request.fields, publicUrl());
    const { scope } = request.fields;
    const scopes = scope === undefined ? app.scopes : parseScopes(scope);
    if (!scopes || !isWithin(scopes, app.scopes))
      throw new OauthFault('invalid_scope', 'scope exceeds what the application is registered for');
    const now = clock.now();
    const code = `device_${randomBase62(43)}`;
    const device = {
      digest: digestSecret(code),
      clientId: app.clientId,
      scopes,
      expiresAtMs: now + oauthLifetimes.deviceCodeMs,
    };
    let userCode = makeUserCode(randomInt);
    while (!(await database.run(createDevice, { ...device, userCode }))) userCode = makeUserCode(randomInt);
    return answerJson({
      device_code: code,
      user_code: userCode,
      verification_uri: `${publicUrl()}/device`,
      verification_uri_complete: `${publicUrl()}/device?user_code=${userCode}`,
      expires_in: oauthLifetimes.deviceCodeMs / 1000,
      interval: intervalMs / 1000,
    });
  });
}

/** The grant type with which a device polls for the decision. */
export function exchangeDeviceCode(parts: PageParts): Grant {
  return async (given) => {
    const code = requireField(given.request.fields, 'device_code');
    const digest = digestSecret(code);
    const { clientId } = given.app;
    const state = await parts.database.run(pollDevice, { digest, clientId, now: parts.clock.now(), intervalMs });
    if (state.status === 'waiting') throw new OauthFault('authorization_pending', 'the user has not decided yet');
    if (state.status === 'hasty') throw new OauthFault('slow_down', `ask every ${intervalMs / 1000} seconds`);
    if (state.status === 'denied') throw new OauthFault('access_denied', 'the user denied access');
    if (state.status === 'unknown') throw new OauthFault('expired_token', 'device_code is unknown or has expired');
    return redeem(parts, given, { place: state.place, digest, ...deviceCode });
  };
}
