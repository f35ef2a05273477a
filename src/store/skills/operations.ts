import { deleteSkill, saveSkill, listSkills, loadSkill } from './skills.ts';

/** Every operation on skills. */
export const skillOperations = [deleteSkill, saveSkill, listSkills, loadSkill];
