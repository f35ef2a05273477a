import type { UserMessage } from '../events/task-event.ts';
import { addHosts, addTaints, listTaints, type Trust } from '../egress/trust.ts';

const maxReferences = 20;

/**
 * They accumulate over messages; one that is named again becomes the most recent (docs/reference/wire-format.md#task-references).
 */
export function addReferences(known: readonly string[], named: readonly string[] = []): readonly string[] {
  if (named.length === 0) return known;
  return [...new Set([...known.filter((id) => !named.includes(id)), ...named])].slice(-maxReferences);
}

/** A message as a model reads it: references are listed below it, because only a tool can follow them. */
export function renderMessage({ text, references = [] }: UserMessage): string {
  return references.length === 0 ? text : `${text}\n\n[It refers to these tasks; read_task shows them: ${references.join(', ')}]`;
}

/** A user's message names hosts; that of another agent does not, and carries its taints. */
export function trustMessage(trust: Trust, { text, attachments = [], inherited }: UserMessage): Trust {
  const updated = inherited ? addTaints({ ...trust, hosts: inherited.hosts }, listTaints(inherited)) : addHosts(trust, text);
  return attachments.length > 0 && !updated.hasFiles ? { ...updated, hasFiles: true } : updated;
}
