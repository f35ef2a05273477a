import { z } from 'zod';
import { Fault } from '@errand/base/fault.ts';
import { actorOf } from '../../../rules/accounts/security-event.ts';
import { saveModelKey } from '../../../store/accounts/model-keys/model-keys.ts';
import { defineOperation } from '../../contract/operation.ts';
import { modelKeyFields, modelKeyObject, presentModelKey } from './model-key-object.ts';
import { readModelProfile } from './model-object.ts';

export const modelSetKey = defineOperation('POST', 'model.setKey', {
  summary: "Sets the models of a profile that the account's tasks use with a key of its own, from their next call on.",
  details: [
    'Calls with an own key cost no credits, and the models of the service never replace them.',
    'The key is stored encrypted and never shown again; it stays only with its provider and `base_url`, so a change of either needs it again.',
    'Only public https URLs are allowed, unless the operator has opened others.',
    'If the profile was changed at the same time: 409. Where the operator accepts no keys: 412.',
  ].join(' '),
  access: 'account',
  hasSecret: true,
  request: z.object(modelKeyFields),
  response: z.object({ model_key: modelKeyObject }),
  async handle({ profile: name, models, base_url: baseUrl, api_key: apiKey }, context) {
    const { modelKeys, principal, now, write, family } = context;
    const { accountId } = principal;
    const profile = readModelProfile(name, context);
    const plan = await modelKeys.planSave(accountId, { profile, models: models ?? undefined, baseUrl, apiKey });
    await write(saveModelKey, { ...plan, actor: actorOf(principal), now });
    const saved = (await modelKeys.list(accountId)).find((each) => each.profile === profile);
    if (!saved) throw new Fault('conflict', 'This model key was removed meanwhile.');
    return { model_key: presentModelKey(saved, family) };
  },
});
