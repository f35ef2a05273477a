import { z } from 'zod';
import { Fault, invalidField, missingField } from '@errand/base/fault.ts';
import { newId } from '@errand/base/ids.ts';
import { skillLimits } from '../../rules/skills/skill.ts';
import { getProject } from '../../store/projects/projects.ts';
import { saveSkill } from '../../store/skills/skills.ts';
import { optional } from '../contract/fields.ts';
import { largeBodyBytes } from '../contract/limits.ts';
import { defineOperation } from '../contract/operation.ts';
import { keyOfProject } from '../contract/owned-project.ts';
import { presentSkill, skillObject } from './skill-object.ts';

const dataUri = /^data:[a-zA-Z0-9.+/-]*(?:;[a-zA-Z0-9=._-]+)*;base64,/;

/** Decodes the zip file in a data URI. */
function readZip(fileData: string): Uint8Array {
  const head = dataUri.exec(fileData)?.[0];
  if (head === undefined) throw invalidField('file_data', 'must be a data URI: data:application/zip;base64,…');
  const text = fileData.slice(head.length);
  if (text.length > (skillLimits.packageBytes * 4) / 3 + 4) {
    throw new Fault('payload_too_large', `file_data: a skill package has at most ${skillLimits.packageBytes} bytes.`);
  }
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throw invalidField('file_data', 'is not Base64');
  return new Uint8Array(Buffer.from(text, 'base64'));
}

export const skillCreate = defineOperation('POST', 'skill.create', {
  summary: 'Adds a skill: a zipped folder with a SKILL.md, or the text of a SKILL.md on its own.',
  details: [
    'A skill with the same name and owner is replaced and keeps its id.',
    'Limits: 200 files and 8 MB per package, 2 MB per file, 48 KB for SKILL.md.',
    'The front matter must contain a name (lowercase letters, digits, hyphens) and a description that says when to use the skill.',
  ].join(' '),
  access: 'account',
  bodyLimitBytes: largeBodyBytes,
  request: z.object({
    file_data: optional(z.string()).meta({ description: 'Data URI of the zip file. Send this or `content`.' }),
    content: optional(z.string()).meta({ description: 'Text of a SKILL.md, for a skill without other files.' }),
    project_id: optional(z.string()).meta({ description: 'Limits the skill to tasks of this project.' }),
    team: optional(z.boolean()).meta({ description: "Shares the skill with the account's team." }),
  }),
  response: z.object({ skill: skillObject }),
  async handle({ file_data, content, project_id, team = false }, context) {
    const { principal, now, signal, read, write, skills } = context;
    if (file_data !== undefined && content !== undefined) throw invalidField('content', 'cannot be combined with file_data');
    if (team && project_id !== undefined) throw invalidField('team', 'cannot be combined with project_id');
    if (file_data === undefined && content === undefined) throw missingField('file_data');
    if (project_id !== undefined) await read(getProject, keyOfProject(project_id, context));
    const source = file_data === undefined ? { text: content ?? '' } : { zip: readZip(file_data) };
    const skill = await skills.readPackage(source, { owner: principal.accountId, signal });
    const kept = await write(saveSkill, {
      accountId: principal.accountId,
      skillId: newId(now),
      owner: team ? 'team' : project_id === undefined ? 'personal' : 'project',
      projectId: project_id ?? null,
      skill,
      now,
    });
    return { skill: presentSkill(kept) };
  },
});
