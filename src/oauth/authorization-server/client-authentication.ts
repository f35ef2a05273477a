import { networkOf } from '@errand/base/net/address-block.ts';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import type { Database } from '../../store/db/database.ts';
import { findApp, type OauthApp } from '../../store/oauth/oauth-apps.ts';
import { matchesAppSecret } from '../../store/oauth/oauth-secrets.ts';
import { OauthFault } from './oauth-answer.ts';
import type { TokenRate } from './token-rate.ts';
import type { WebRequest } from '../request/web-request.ts';

/** The client id and secret of an application. */
interface Claim {
  clientId: string;
  secret: string | null;
}

function refuse(description: string): OauthFault {
  return new OauthFault('invalid_client', description, 401, { 'www-authenticate': 'Basic realm="errand"' });
}

/** RFC 6749, section 2.3.1: both halves are form-encoded. */
function decodePart(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

function readBasic(authorization: string): Claim {
  const [, encoded] = /^Basic +([\w+/]+={0,2})$/i.exec(authorization) ?? [];
  const text = Buffer.from(encoded ?? '', 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon === -1) throw refuse('the Authorization header is not of the form Basic client_id:client_secret');
  try {
    const secret = decodePart(text.slice(colon + 1));
    return { clientId: decodePart(text.slice(0, colon)), secret: secret === '' ? null : secret };
  } catch {
    throw refuse('client_id and client_secret in the Authorization header are not properly encoded');
  }
}

function readClaim({ headers, fields }: WebRequest): Claim {
  const { client_id: clientId, client_secret: secret = null } = fields;
  if (headers.authorization === undefined) {
    if (clientId === undefined) throw refuse('client_id is missing');
    return { clientId, secret };
  }
  const claim = readBasic(headers.authorization);
  if (secret !== null) throw new OauthFault('invalid_request', 'send the client secret once: in the header or in the body');
  if (clientId !== undefined && clientId !== claim.clientId) {
    throw new OauthFault('invalid_request', 'client_id in the body does not match the Authorization header');
  }
  return claim;
}

async function isProven(database: Database, app: OauthApp, secret: string | null): Promise<boolean> {
  if (app.isPublic) return secret === null;
  if (secret === null) return false;
  const { accountId, clientId } = app;
  return database.run(matchesAppSecret, { accountId, clientId, digest: digestSecret(secret) });
}

/**
 * Authenticates an application by its secret in the header or body, or not at all if it cannot keep one. A secret is counted for its client,
 * wherever it is sent from. Failed requests are counted by IP address alone, whatever client they name, and those of a client without a
 * secret by both, so that nobody can use up another client's limit.
 */
export async function authenticateClient(request: WebRequest, database: Database, rate: TokenRate): Promise<OauthApp> {
  const { clientId, secret } = readClaim(request);
  const app = await database.run(findApp, clientId);
  const isClient = app !== null && (await isProven(database, app, secret));
  const address = networkOf(request.remoteAddress);
  if (!isClient) await rate.take(request, `failed ${address}`);
  else await rate.take(request, secret === null ? `${clientId} ${address}` : clientId);
  if (!isClient) throw refuse('unknown client, or its secret is wrong or missing');
  return app;
}
