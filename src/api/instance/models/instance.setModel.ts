import { z } from 'zod';
import { actorOf } from '../../../rules/accounts/security-event.ts';
import { removeModelSettings, saveModelSettings } from '../../../store/instance/model-settings.ts';
import type { ModelChange } from '../../contract/services/model-service.ts';
import { type Context, defineOperation } from '../../contract/operation.ts';
import { modelFields, presentModels, profileField, profileModelsObject, readModelProfile } from './model-object.ts';

type Change = Omit<ModelChange, 'models'> & { models: string | null | undefined };

async function change({ models: names, ...given }: Change, { models, principal, now, write }: Context): Promise<void> {
  const who = { actor: actorOf(principal), now };
  if (names === null) {
    const { profile } = given;
    const from = await models.planRemoval(profile);
    if (from !== null) await write(removeModelSettings, { profile, from, ...who });
    return;
  }
  await write(saveModelSettings, { ...(await models.planSave({ ...given, models: names })), ...who });
}

export const instanceSetModel = defineOperation('POST', 'instance.setModel', {
  summary: 'Sets the models of a profile, for all processes and without a restart.',
  details:
    'Each is used from the next call of a model on. `models: null` removes what is set, with the key. A key is stored encrypted and never shown again; it stays only with its provider and `base_url`, so a change of either needs it again. What the environment sets wins: 412. If somebody else changed the profile at the same time: 409.',
  access: 'instance',
  hasSecret: true,
  request: z.object({
    profile: profileField,
    models: modelFields.models.meta({
      description:
        '`provider/model`; further ones, after commas, replace it while it is away. Null or empty removes what is set.',
    }),
    base_url: modelFields.base_url,
    api_key: modelFields.api_key,
  }),
  response: z.object({ model: profileModelsObject }),
  async handle({ profile: name, models: names, base_url, api_key }, context) {
    const { models, family } = context;
    const profile = readModelProfile(name, context);
    await change({ profile, models: names, baseUrl: base_url, apiKey: api_key }, context);
    await models.settle();
    return { model: presentModels(await models.show(profile), family) };
  },
});
