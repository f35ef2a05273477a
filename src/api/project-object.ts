import { z } from 'zod';
import { Fault, invalidField } from '../base/fault.ts';
import { isId } from '../base/ids.ts';
import { cleanTitle } from '../rules/title.ts';
import { type Project, type ProjectKey, projectNotFound } from '../store/projects.ts';
import { missing } from './input-check.ts';
import type { Context } from './operation.ts';
import { isLongerThan } from './text-length.ts';

/** In characters (decisions, "Limits"). */
const maxNameLength = 100;
const maxInstructionLength = 20_000;

/** A project (wire-facts 3). */
export const projectObject = z
  .object({
    id: z.string(),
    name: z.string(),
    instruction: z.string(),
    created_at: z.int().meta({ description: 'Unix time in seconds.' }),
  })
  .meta({ id: 'Project' });

export function presentProject({ id, name, instruction, createdAtMs }: Project): z.input<typeof projectObject> {
  return { id, name, instruction, created_at: Math.floor(createdAtMs / 1000) };
}

/** Where the caller's project is kept; 404 for what cannot be a project's id. */
export function keyOfProject(projectId: string, { principal }: Context): ProjectKey {
  if (!isId(projectId)) throw projectNotFound();
  return { accountId: principal.accountId, projectId };
}

export function readProjectName(name: string): string {
  const clean = cleanTitle(name);
  if (clean === '') throw new Fault('invalid_argument', `name ${missing}`);
  if (isLongerThan(clean, maxNameLength)) throw invalidField('name', `must have at most ${maxNameLength} characters`);
  return clean;
}

export function readInstruction(instruction: string): string {
  if (isLongerThan(instruction, maxInstructionLength)) {
    throw invalidField('instruction', `must have at most ${maxInstructionLength} characters`);
  }
  return instruction.toWellFormed().replaceAll('\0', '\ufffd').trim();
}
