import { deleteSkill, saveSkill, listSkills, loadSkill } from './skills.ts';

/** The operations on skills that the database thread knows. */
export const skillOperations = [deleteSkill, saveSkill, listSkills, loadSkill];
