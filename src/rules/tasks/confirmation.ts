import { posix } from 'node:path';
import { invalidField } from '@errand/base/fault.ts';

/** Actions that a person must confirm before they run (docs/reference/wire-format.md#confirmations). */
const actionKinds = ['connectorAction', 'deployAction', 'terminalExecute', 'connectorOauthExpired'] as const;
export type ActionKind = (typeof actionKinds)[number];

/** The field that also allows actions of this kind for the rest of the task. */
const lastingField: Partial<Record<ActionKind, string>> = {
  connectorAction: 'always_allow',
  deployAction: 'global_allow',
  terminalExecute: 'always_allow',
};

/** Kinds of actions that a policy can allow in advance. Publishing and signing in always need a person. */
const advanceKinds: readonly ActionKind[] = ['connectorAction', 'terminalExecute'];

/** Whether a policy that always allows a call also does so for an action of this kind. */
export function isAllowedInAdvance(kind: ActionKind): boolean {
  return advanceKinds.includes(kind);
}

/** The JSON Schema of `input` in task.confirmAction. `isOnce`: each call is asked about, whatever was decided about others. */
export function confirmSchema(kind: ActionKind, isOnce = false): Record<string, unknown> {
  const flag = (description: string) => ({ type: 'boolean', description });
  const lasting = isOnce ? undefined : lastingField[kind];
  return {
    type: 'object',
    properties: {
      accept: flag('true does it, false does not and lets the agent go on.'),
      ...(lasting !== undefined && { [lasting]: flag('Allows every further action of this kind in this task.') }),
    },
    required: ['accept'],
  };
}

export interface ActionDecision {
  isAccepted: boolean;
  /** Whether the decision also allows such actions for the rest of the task. */
  isLasting: boolean;
}

function readFlag(input: Readonly<Record<string, unknown>>, field: string): boolean | undefined {
  const value = input[field];
  if (value === undefined || value === null || typeof value === 'boolean') return value ?? undefined;
  throw invalidField(`input.${field}`, 'must be true or false');
}

/** The decision in an input; null if there is none. Fields outside the schema are ignored; wrong types are 400. */
export function readDecision(kind: ActionKind, input: Readonly<Record<string, unknown>>, isOnce = false): ActionDecision | null {
  const isAccepted = readFlag(input, 'accept');
  const lasting = isOnce ? undefined : lastingField[kind];
  const isLasting = lasting !== undefined && readFlag(input, lasting) === true;
  return isAccepted === undefined ? null : { isAccepted, isLasting: isAccepted && isLasting };
}

/** Commands that delete many files at once, or overwrite them. */
const deletingCommands: readonly RegExp[] = [
  /(^|\s)rm\s+(-\w+\s+)*-\w*[rR]/,
  /(^|\s)(shred|dd|mkfs(\.\w+)?|truncate)\s/,
  /(^|\s)find\s.*-delete\b/,
];

/** Commands that make something available to others. */
const publishingCommand = /(^|\s)git\s+(-\S+\s+([^-\s]\S*\s+)?)*push\b/;

/** Folders that belong to the task alone, and the file in which nothing stays. */
const ownPath = /^\/(workspace|tmp|dev\/null)(\/|$)/;

function leadsOutside(word: string): boolean {
  const path = posix.normalize(word.replaceAll(/["']/g, '').replace(/^of=/, ''));
  return path.startsWith('/') ? !ownPath.test(path) : /^\.\.(\/|$)/.test(path);
}

/**
 * Whether this shell line needs approval: it publishes, or deletes outside the task's own files, for example in its memory. It guards against
 * mistakes; the sandbox limits what a command can reach.
 */
export function isRiskyCommand(command: string): boolean {
  const parts = command.split(/[;&|()\n]+/).map((part) => part.trim());
  const isDeleting = (part: string) => deletingCommands.some((pattern) => pattern.test(part));
  const isOutside = (part: string) => part.split(/\s+/).slice(1).some(leadsOutside);
  const goesOutside = parts.some((part) => part.startsWith('cd ') && isOutside(part));
  return parts.some((part) => publishingCommand.test(part) || (isDeleting(part) && (goesOutside || isOutside(part))));
}
