import { z } from 'zod';
import type { OwnProfile } from '../../contract/services/model-key-service.ts';
import { toUnixTime, unixTime } from '../../contract/unix-time.ts';
import { nameProfile } from '../../tasks/agent-profile.ts';
import { modelFields, profileField } from './model-object.ts';

/** The models of a profile that an account has brought its own key for. */
export const modelKeyObject = z
  .object({
    profile: z.string(),
    models: z.array(z.string()).meta({
      description: 'The models, each as `provider/model`. The first is used; the others replace it while it is unavailable.',
    }),
    base_url: z.string().nullable().meta({ description: "URL of the provider's API; null for its default." }),
    has_api_key: z.boolean().meta({ description: 'False if it uses the key of another profile with the same provider.' }),
    api_key_tail: z.string().nullable().meta({ description: 'The last four characters of the key.' }),
    problem: z.string().nullable().meta({ description: 'Why these settings cannot be used; tasks then end with this error.' }),
    changed_at: unixTime,
  })
  .meta({ id: 'ModelKey' });

export function presentModelKey(own: OwnProfile, family: string): z.input<typeof modelKeyObject> {
  const { profile, models, baseUrl, hasApiKey, apiKeyTail, problem, changedAtMs } = own;
  return {
    profile: nameProfile(profile, family),
    models: [...models],
    base_url: baseUrl,
    has_api_key: hasApiKey,
    api_key_tail: apiKeyTail,
    problem,
    changed_at: toUnixTime(changedAtMs),
  };
}

/** What a request about an own model names; what is absent stays. */
export const modelKeyFields = {
  profile: profileField,
  models: modelFields.models.meta({
    description:
      '`provider/model` of openai, anthropic, google, or compatible; further ones, after commas, replace it while it is away.',
  }),
  base_url: modelFields.base_url,
  api_key: modelFields.api_key,
};
