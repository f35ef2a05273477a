import { unpackSkill } from '../tools/skills/task-skills.ts';
import { reminderMark } from '../rules/context/plan-reminder.ts';
import { bringAttachments, bringBrand } from './attachments/workspace-attachments.ts';
import type { TaskRun } from './agent-ports.ts';

const gone = `${reminderMark} The user asked for a skill that does not exist any more. Say so at the end, and do the work without it.`;

/** Loads a skill that the user requested: its files go into the workspace, its text into the conversation. */
export async function runLoadStep(run: TaskRun, skillId: string): Promise<void> {
  const { task, journal, ports, stepTools } = run;
  await bringAttachments(run);
  await bringBrand(run);
  const text = await journal.attend(async () => {
    const skill = await stepTools.skills.load(skillId);
    if (!skill) return gone;
    const loaded = await unpackSkill(skill, ports.workspaceOf(task), stepTools.brand);
    return `${reminderMark} The user asked you to work by this skill; it is loaded.\n\n${loaded}`;
  });
  await journal.append([{ type: 'skill_loaded', skillId, text }]);
}
