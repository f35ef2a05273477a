import { z } from 'zod';
import { actorOf } from '../../../rules/accounts/security-event.ts';
import { removeModelKey } from '../../../store/accounts/model-keys/model-keys.ts';
import { nameProfile } from '../../tasks/agent-profile.ts';
import { defineOperation } from '../../contract/operation.ts';
import { profileField, readModelProfile } from './model-object.ts';

export const modelDeleteKey = defineOperation('POST', 'model.deleteKey', {
  summary: 'Deletes the models that the account uses with a key of its own for a profile, with the key.',
  details:
    'Its tasks use the models of the service from their next call on, which cost credits. 412 if another profile uses the key.',
  access: 'account',
  request: z.object({ profile: profileField }),
  response: z.object({ profile: z.string() }),
  async handle({ profile: name }, context) {
    const { modelKeys, principal, now, write, family } = context;
    const { accountId } = principal;
    const profile = readModelProfile(name, context);
    const seen = await modelKeys.planRemoval(accountId, profile);
    await write(removeModelKey, { accountId, profile, seen, actor: actorOf(principal), now });
    return { profile: nameProfile(profile, family) };
  },
});
