import { z } from 'zod';
import { Fault } from '@errand/base/fault.ts';
import { isId } from '@errand/base/ids.ts';
import { deleteSkill, skillNotFound } from '../../store/skills/skills.ts';
import { requiredText } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';

export const skillDelete = defineOperation('POST', 'skill.delete', {
  summary: 'Deletes a skill of the account.',
  details: 'Tasks that already loaded it keep their copy. Official skills cannot be deleted.',
  access: 'account',
  request: z.object({ skill_id: requiredText('Identifier of the skill.') }),
  response: z.object({ id: z.string(), deleted: z.literal(true) }),
  async handle({ skill_id: skillId }, { principal, write, skills }) {
    if (!isId(skillId)) throw skillNotFound();
    if ((await skills.listOfficial()).some(({ id }) => id === skillId)) {
      throw new Fault('failed_precondition', 'An official skill cannot be deleted; leave it out of enable_skills instead.');
    }
    await write(deleteSkill, { accountId: principal.accountId, skillId });
    return { id: skillId, deleted: true as const };
  },
});
