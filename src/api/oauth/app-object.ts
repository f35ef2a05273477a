import { z } from 'zod';
import { scopes } from '../../rules/accounts/access.ts';
import { appKinds } from '../../rules/oauth/oauth-policy.ts';
import type { OauthApp } from '../../store/oauth/oauth-apps.ts';
import type { AppSecret } from '../../store/oauth/oauth-secrets.ts';
import { requiredText } from '../contract/fields.ts';
import { toUnixTime, unixTime } from '../contract/unix-time.ts';

export const clientIdField = requiredText('Id of the application.');

/** A client secret without its value. */
export const appSecretObject = z
  .object({
    id: z.string(),
    tail: z.string().meta({ description: 'The last four characters of the secret.' }),
    created_at: unixTime,
  })
  .meta({ id: 'AppSecret' });

export function presentAppSecret({ id, tail, createdAtMs }: AppSecret): z.input<typeof appSecretObject> {
  return { id, tail, created_at: toUnixTime(createdAtMs) };
}

/** An OAuth application as its owner sees it. */
export const appObject = z
  .object({
    client_id: z.string(),
    name: z.string(),
    homepage: z.string().nullable(),
    type: z.enum(appKinds),
    public_client: z.boolean().meta({ description: 'True for an application that cannot keep a secret and has none.' }),
    redirect_uris: z.array(z.string()),
    scopes: z.array(z.enum(scopes)),
    created_at: unixTime,
  })
  .meta({ id: 'App' });

export function presentApp(app: OauthApp): z.input<typeof appObject> {
  return {
    client_id: app.clientId,
    name: app.name,
    homepage: app.homepage,
    type: app.kind,
    public_client: app.isPublic,
    redirect_uris: [...app.redirectUris],
    scopes: [...app.scopes],
    created_at: toUnixTime(app.createdAtMs),
  };
}
