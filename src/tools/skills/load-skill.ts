import { z } from 'zod';
import { unpackSkill } from './task-skills.ts';
import { defineTool } from '../toolbox/tool.ts';

const input = z.strictObject({ name: z.string().trim().min(1).max(64) });

export const loadSkillTool = defineTool({
  name: 'load_skill',
  description: 'Loads a listed skill and its files.',
  input,
  effect: 'retry',
  needs: 'skills',
  summarize: ({ name }) => ({ brief: `Loading the skill ${name}`, action: 'Loading skill', param: name }),
  async run({ name }, { skills, workspace, brand }) {
    const offered = skills.offered.find((skill) => skill.name === name);
    const skill = offered ? await skills.load(offered.id) : null;
    if (skill) return { status: 'success', output: await unpackSkill(skill, workspace, brand) };
    const names = skills.offered.map((each) => each.name).join(', ');
    return { status: 'error', output: `There is no skill "${name}".${names === '' ? '' : ` The skills are ${names}.`}` };
  },
});
