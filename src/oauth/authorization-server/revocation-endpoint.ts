import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import { placeOfToken } from '../../rules/oauth/oauth-token.ts';
import { revokeToken } from '../../store/oauth/oauth-tokens.ts';
import { authenticateClient } from './client-authentication.ts';
import { forApplications } from './endpoint-handler.ts';
import { answerJson } from './oauth-answer.ts';
import { requireField } from './token-endpoint.ts';
import type { TokenRate } from './token-rate.ts';
import type { Handler, PageParts } from '../request/web-request.ts';

/** `POST /oauth/revoke` (RFC 7009). Anything but a live token of the client counts as already revoked. */
export function buildRevocationEndpoint({ database }: PageParts, rate: TokenRate): Handler {
  return forApplications(rate, async (request) => {
    const { clientId } = await authenticateClient(request, database, rate);
    const token = requireField(request.fields, 'token');
    const place = placeOfToken('refresh', token) ?? placeOfToken('access', token);
    if (place) await database.run(revokeToken, { ...place, clientId, digest: digestSecret(token) });
    return answerJson({});
  });
}
