import { z } from 'zod';
import { invalidField, missingField } from '@errand/base/fault.ts';
import { memoryPathProblem } from '../../rules/memory/memory-path.ts';
import { type MemoryScope, memoryLimits, memoryScopes } from '../../rules/memory/memory-scope.ts';
import type { MemoryKey } from '../../store/memory/memory-rows.ts';
import { keyOfAgent } from '../agents/agent-object.ts';
import { optional, requiredText } from '../contract/fields.ts';
import type { Context } from '../contract/operation.ts';
import { keyOfProject } from '../contract/owned-project.ts';

/** The fields that name the memory of a request. */
export const placeFields = {
  scope: z.enum(memoryScopes).meta({ description: 'Whose memory it is: that of the account, a project, or an agent.' }),
  id: optional(z.string()).meta({ description: 'Identifier of the project or agent; not used for `account`.' }),
};

export const pathField = requiredText('Path of the file in the memory, such as `people/ada.md`; at most 200 characters.');

export const ifVersionField = optional(z.int().min(0)).meta({
  description: 'The version that was read, 0 for a file that must not exist yet. If another is current, nothing is changed: 409.',
});

/** The key of the memory; 404 for an id that names nothing of the caller's. */
export function keyOfMemory({ scope, id }: { scope: MemoryScope; id: string | undefined }, context: Context): MemoryKey {
  const { accountId } = context.principal;
  if (scope === 'account') return { accountId, scope, scopeId: '' };
  if (id === undefined || id === '')
    throw missingField('id', ` for the memory of ${scope === 'agent' ? 'an agent' : 'a project'}`);
  const scopeId = scope === 'agent' ? keyOfAgent(id, context).agentId : keyOfProject(id, context).projectId;
  return { accountId, scope, scopeId };
}

export function readMemoryPath(path: string): string {
  const problem = memoryPathProblem(path);
  if (problem !== null) throw invalidField('path', problem);
  return path;
}

/** Text that both databases and every tool can take as it is. */
export function readMemoryContent(content: string): string {
  if (content.includes('\0') || !content.isWellFormed()) {
    throw invalidField('content', 'must be text without NUL characters and unpaired surrogates');
  }
  if (Buffer.byteLength(content) > memoryLimits.fileBytes) {
    throw invalidField('content', `must have at most ${memoryLimits.fileBytes} bytes; divide it into several files`);
  }
  return content;
}
