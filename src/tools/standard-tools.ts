import type { Clock } from '../base/clock.ts';
import { askUser } from './ask-user.ts';
import { editFile } from './edit-file.ts';
import { listFiles } from './list-files.ts';
import { readFile } from './read-file.ts';
import { createSearchFiles } from './search-files.ts';
import type { Tool } from './tool.ts';
import { updatePlan } from './update-plan.ts';
import { writeFile } from './write-file.ts';

/** The tools that need nothing but the task's workspace and its user. */
export function standardTools(clock: Clock): Tool[] {
  return [askUser, editFile, listFiles, readFile, createSearchFiles(clock), updatePlan, writeFile];
}
