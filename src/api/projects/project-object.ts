import { z } from 'zod';
import { invalidField, missingField } from '@errand/base/fault.ts';
import { toOneLine } from '@errand/base/text/one-line.ts';
import { projectActions, type ShownProject } from '../../store/projects/projects.ts';
import { setupStatuses } from '../../store/projects/project-setups.ts';
import { mostRetentionDays } from '../../rules/instance/retention-days.ts';
import { optional } from '../contract/fields.ts';
import { isLongerThan } from '../contract/text-length.ts';
import { toUnixTime, unixTime } from '../contract/unix-time.ts';

/** Limit in characters (docs/reference/choices.md#limits). */
const maxNameLength = 100;
const maxInstructionLength = 20_000;
const maxScriptLength = 20_000;

const setupObject = z
  .object({
    status: z.enum(setupStatuses).meta({
      description: '`pending` until a task first needs it after the script was changed; tasks do without a `failed` one.',
    }),
    output: z.string().meta({ description: 'The last of what the script wrote, or why it failed.' }),
    started_at: unixTime.nullable(),
    ended_at: unixTime.nullable(),
  })
  .meta({ id: 'ProjectSetup' });

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
    setup_script: z.string().meta({ description: 'Prepares the sandboxes of its tasks; empty for none.' }),
    setup: setupObject,
    retention_days: z.int().meta({ description: 'Days after their end that its tasks are deleted; 0 for those of the account.' }),
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
  setupScript,
  setup,
  retentionDays,
  createdAtMs,
}: ShownProject): z.input<typeof projectObject> {
  return {
    id,
    name,
    instruction,
    connectors: [...connectors],
    skills: [...skills],
    actions,
    memory,
    setup_script: setupScript,
    setup: {
      status: setup.status,
      output: setup.output,
      started_at: setup.startedAtMs === null ? null : toUnixTime(setup.startedAtMs),
      ended_at: setup.endedAtMs === null ? null : toUnixTime(setup.endedAtMs),
    },
    retention_days: retentionDays,
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
  retention_days: optional(z.int().min(0).max(mostRetentionDays)).meta({
    description: 'Days after their end that its tasks are deleted, if the account keeps them longer; 0 for no limit of its own.',
  }),
  setup_script: optional(z.string()).meta({
    description:
      'A bash script that prepares the sandboxes of its tasks, as with `pip install`; at most 20,000 characters, empty for none. It runs once, when a task first needs it.',
  }),
};

export function readProjectName(name: string): string {
  const clean = toOneLine(name);
  if (clean === '') throw missingField('name');
  if (isLongerThan(clean, maxNameLength)) throw invalidField('name', `must have at most ${maxNameLength} characters`);
  return clean;
}

function readText(field: string, given: string, maxLength: number): string {
  if (isLongerThan(given, maxLength)) throw invalidField(field, `must have at most ${maxLength} characters`);
  return given.toWellFormed().replaceAll('\0', '\ufffd').trim();
}

export function readInstruction(instruction: string): string {
  return readText('instruction', instruction, maxInstructionLength);
}

export function readSetupScript(script: string): string {
  return readText('setup_script', script.replaceAll('\r\n', '\n'), maxScriptLength);
}
