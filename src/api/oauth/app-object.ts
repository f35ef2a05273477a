import { z } from 'zod';
import { scopes } from '../../rules/accounts/access.ts';
import { appKinds } from '../../rules/oauth/oauth-policy.ts';
import { applicationTypes } from '../../rules/oauth/redirect-uri.ts';
import type { OauthApp } from '../../store/oauth/oauth-apps.ts';
import type { AppSecret } from '../../store/oauth/oauth-secrets.ts';
import { optional, requiredText } from '../contract/fields.ts';
import { toUnixTime, unixTime } from '../contract/unix-time.ts';

export const clientIdField = requiredText('Id of the application.');

const applicationTypeText =
  '`native`: a program whose redirect URIs are on the loopback interface or have a scheme of their own. `web`: https only. Without it, both.';

/** What a request says the application is. */
export const applicationTypeField = optional(z.enum(applicationTypes)).meta({ description: applicationTypeText });

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
    application_type: z.enum(applicationTypes).nullable().meta({ description: applicationTypeText }),
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
    application_type: app.applicationType,
    redirect_uris: [...app.redirectUris],
    scopes: [...app.scopes],
    created_at: toUnixTime(app.createdAtMs),
  };
}
