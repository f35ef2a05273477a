import { z } from 'zod';
import { invalidField } from '@errand/base/fault.ts';
import { modelSources, profiles, type Profile } from '../../../rules/instance/model-profile.ts';
import type { ModelTest, ProfileModels } from '../../contract/services/model-service.ts';
import { requiredText } from '../../contract/fields.ts';
import type { Context } from '../../contract/operation.ts';
import { toUnixTime, unixTime } from '../../contract/unix-time.ts';
import { nameProfile } from '../../tasks/agent-profile.ts';

/** The models of a profile as the operator sees them. */
export const profileModelsObject = z
  .object({
    profile: z.string(),
    source: z.enum(modelSources).meta({
      description: '`environment` wins over `settings`; `built_in` is a model found on this machine, else `offline/offline-1`.',
    }),
    models: z.array(z.string()).meta({
      description: 'The models, each as `provider/model`. The first is used; the others replace it while it is unavailable.',
    }),
    inherited: z.boolean().meta({ description: 'Whether the profile uses the models of `service-1.6`.' }),
    base_url: z.string().nullable().meta({ description: "URL of the provider's API; null for its default." }),
    has_api_key: z.boolean(),
    api_key_tail: z.string().nullable().meta({ description: 'The last four characters of a key that was set here.' }),
    problem: z.string().nullable().meta({ description: 'Why these settings cannot be used; tasks then end with this error.' }),
    changed_at: unixTime.nullable(),
  })
  .meta({ id: 'ProfileModels' });

export function presentModels(models: ProfileModels, family: string): z.input<typeof profileModelsObject> {
  const { profile, source, models: names, isInherited, baseUrl, hasApiKey, apiKeyTail, problem, changedAtMs } = models;
  return {
    profile: nameProfile(profile, family),
    source,
    models: [...names],
    inherited: isInherited,
    base_url: baseUrl,
    has_api_key: hasApiKey,
    api_key_tail: apiKeyTail,
    problem,
    changed_at: changedAtMs === null ? null : toUnixTime(changedAtMs),
  };
}

/** One call of a model, as a test of it. */
export const modelTestObject = z
  .object({
    model: z.string(),
    ok: z.boolean(),
    latency_ms: z.int(),
    error: z.string().nullable().meta({ description: 'What the provider said, or why it could not be asked.' }),
  })
  .meta({ id: 'ModelTest' });

export function presentTest({ model, latencyMs, problem }: ModelTest): z.input<typeof modelTestObject> {
  return { model, ok: problem === null, latency_ms: latencyMs, error: problem };
}

/** The profile that a request is about. */
export const profileField = requiredText('`service-1.6`, `service-1.6-lite` or `service-1.6-max`.');

/** A text field in which an empty text means no value, like an empty environment variable. */
function clearableText(longest: number) {
  return z
    .string()
    .max(longest)
    .nullish()
    .transform((value) => (value === '' ? null : value));
}

/** What of a profile's models a request names: null or an empty text removes it, what is absent stays. */
export const modelFields = {
  models: clearableText(2000),
  base_url: clearableText(2000).meta({ description: "URL of the provider's API; null or empty for its default." }),
  api_key: clearableText(4000).meta({
    description: 'Key of the provider of the first model. Null or empty removes it.',
    writeOnly: true,
  }),
};

/** A profile by its name in any family. */
export function readModelProfile(name: string, { families, family }: Pick<Context, 'families' | 'family'>): Profile {
  const found = profiles.find((profile) => families.some((each) => name === nameProfile(profile, each)));
  if (found) return found;
  const known = profiles.map((profile) => `"${nameProfile(profile, family)}"`).join(', ');
  throw invalidField('profile', `must be one of ${known}`);
}
