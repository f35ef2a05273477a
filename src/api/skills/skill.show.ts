import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import { isId } from '@errand/base/ids.ts';
import type { SkillFile } from '../../rules/skills/skill.ts';
import { loadSkill, skillNotFound } from '../../store/skills/skills.ts';
import { optional, requiredText } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';

/** Larger files are listed without their text. */
const shownBytes = 64 * 1024;

function presentFile({ path, content }: SkillFile) {
  const bytes = Buffer.from(content);
  const isShown = bytes.length <= shownBytes && isUtf8(bytes) && !bytes.includes(0);
  return { path, size_bytes: bytes.length, text: isShown ? bytes.toString('utf8') : null };
}

export const skillShow = defineOperation('GET', 'skill.show', {
  summary: 'Returns the contents of an available skill: its instructions and files.',
  access: 'browser',
  request: z.object({
    skill_id: requiredText('Identifier of the skill.'),
    project_id: optional(z.string()).meta({ description: 'The project the skill belongs to.' }),
  }),
  response: z.object({
    name: z.string(),
    description: z.string(),
    body: z.string().meta({ description: 'The text of its SKILL.md, without the front matter.' }),
    files: z.array(
      z.object({
        path: z.string(),
        size_bytes: z.int(),
        text: z.string().nullable().meta({ description: 'Null for binary files and files over 64 KB.' }),
      }),
    ),
  }),
  async handle({ skill_id: skillId, project_id: projectId }, { principal, read, skills }) {
    if (!isId(skillId) || (projectId !== undefined && !isId(projectId))) throw skillNotFound();
    const key = { accountId: principal.accountId, projectId: projectId ?? null, skillId };
    const found = (await skills.loadOfficial(skillId)) ?? (await read(loadSkill, key));
    if (!found) throw skillNotFound();
    const { name, description, body, files } = found;
    return { name, description, body, files: files.map(presentFile) };
  },
});
