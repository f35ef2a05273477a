import { unpackSkill } from '../tools/skills/task-skills.ts';
import { bringAttachments, bringBrand } from './attachments/workspace-attachments.ts';
import type { TaskRun } from './agent-ports.ts';

const gone = 'The user asked for a skill that does not exist any more. Say so at the end, and do the work without it.';

/** Loads a skill that the user requested: its files go into the workspace, its text into the conversation. */
export async function runLoadStep(run: TaskRun, skillId: string): Promise<void> {
  const { task, journal, ports, stepTools } = run;
  await bringAttachments(run);
  await bringBrand(run);
  const text = await journal.attend(async () => {
    const skill = await stepTools.skills.load(skillId);
    if (!skill) return gone;
    return `The user asked you to work by this skill; it is loaded.\n\n${await unpackSkill(skill, ports.workspaceOf(task), stepTools.brand)}`;
  });
  await journal.append([{ type: 'skill_loaded', skillId, text }]);
}
