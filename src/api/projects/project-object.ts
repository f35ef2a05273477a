import { z } from 'zod';
import { invalidField, missingField } from '@errand/base/fault.ts';
import { toOneLine } from '@errand/base/text/one-line.ts';
import { type Project, projectActions } from '../../store/projects/projects.ts';
import { optional } from '../contract/fields.ts';
import { isLongerThan } from '../contract/text-length.ts';
import { toUnixTime, unixTime } from '../contract/unix-time.ts';

/** In characters (docs/reference/choices.md#limits). */
const maxNameLength = 100;
const maxInstructionLength = 20_000;

/** A project (docs/reference/wire-format.md#resources). */
export const projectObject = z
  .object({
    id: z.string(),
    name: z.string(),
    instruction: z.string(),
    connectors: z.array(z.string()).meta({ description: 'Ids of the connectors its tasks use by default.' }),
    skills: z.array(z.string()).meta({ description: 'Ids of the skills its tasks use by default; empty for all.' }),
    actions: z.enum(projectActions),
    memory: z.boolean().meta({ description: 'Whether its tasks see memory.' }),
    created_at: unixTime,
  })
  .meta({ id: 'Project' });

export function presentProject({
  id,
  name,
  instruction,
  connectors,
  skills,
  actions,
  memory,
  createdAtMs,
}: Project): z.input<typeof projectObject> {
  return {
    id,
    name,
    instruction,
    connectors: [...connectors],
    skills: [...skills],
    actions,
    memory,
    created_at: toUnixTime(createdAtMs),
  };
}

/** Fields of project.create and project.update besides name and instruction. */
export const projectDefaults = {
  connectors: optional(z.array(z.string()).max(100)).meta({
    description: 'Ids of the connectors its tasks use when a message names none.',
  }),
  skills: optional(z.array(z.string()).max(100)).meta({
    description: 'Ids of the skills its tasks use when a message names none; empty for all.',
  }),
  actions: optional(z.enum(projectActions)).meta({
    description: 'Whether non-interactive tasks perform actions that would need confirmation; `allow` by default.',
  }),
  memory: optional(z.boolean()).meta({ description: 'Whether its tasks see and change memory; true by default.' }),
};

export function readProjectName(name: string): string {
  const clean = toOneLine(name);
  if (clean === '') throw missingField('name');
  if (isLongerThan(clean, maxNameLength)) throw invalidField('name', `must have at most ${maxNameLength} characters`);
  return clean;
}

export function readInstruction(instruction: string): string {
  if (isLongerThan(instruction, maxInstructionLength)) {
    throw invalidField('instruction', `must have at most ${maxInstructionLength} characters`);
  }
  return instruction.toWellFormed().replaceAll('\0', '\ufffd').trim();
}
