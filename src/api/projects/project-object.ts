import { z } from 'zod';
import { Fault, invalidField } from '@errand/base/fault.ts';
import { cleanTitle } from '../../rules/tasks/title.ts';
import { type Project, projectActions } from '../../store/projects/projects.ts';
import { optional } from '../contract/fields.ts';
import { missing } from '../contract/input-check.ts';
import { isLongerThan } from '../contract/text-length.ts';

/** In characters (docs/reference/choices.md#limits). */
const maxNameLength = 100;
const maxInstructionLength = 20_000;

/** A project (docs/reference/wire-format.md#resources). */
export const projectObject = z
  .object({
    id: z.string(),
    name: z.string(),
    instruction: z.string(),
    connectors: z.array(z.string()).meta({ description: 'Ids of the connectors that its tasks use by default.' }),
    skills: z.array(z.string()).meta({ description: 'Ids of the skills that its tasks use by default; empty for all.' }),
    actions: z.enum(projectActions),
    created_at: z.int().meta({ description: 'Unix time in seconds.' }),
  })
  .meta({ id: 'Project' });

export function presentProject({
  id,
  name,
  instruction,
  connectors,
  skills,
  actions,
  createdAtMs,
}: Project): z.input<typeof projectObject> {
  return {
    id,
    name,
    instruction,
    connectors: [...connectors],
    skills: [...skills],
    actions,
    created_at: Math.floor(createdAtMs / 1000),
  };
}

/** What project.create and project.update take beside name and instruction. */
export const projectDefaults = {
  connectors: optional(z.array(z.string()).max(100)).meta({
    description: 'Ids of the connectors that its tasks use where their message names none.',
  }),
  skills: optional(z.array(z.string()).max(100)).meta({
    description: 'Ids of the skills that its tasks use where their message names none; empty for all.',
  }),
  actions: optional(z.enum(projectActions)).meta({
    description: 'Whether tasks that work alone do what a person would be asked about; `allow` by default.',
  }),
};

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
