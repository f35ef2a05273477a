import { Fault } from '@errand/base/fault.ts';
import { placeBrand, type TaskBrand, mostBrandFileBytes } from '../tools/brands/task-brand.ts';
import type { AgentPorts, TaskFacts, Turn } from './agent-ports.ts';

/** The brand of a task; null without one. */
export async function findTaskBrand(
  { brandOf, openAttachment }: Pick<AgentPorts, 'brandOf' | 'openAttachment'>,
  task: TaskFacts,
  projectId: string | null,
): Promise<TaskBrand | null> {
  const found = (await brandOf?.(task, projectId)) ?? null;
  if (found === null) return null;
  return {
    ...found,
    async read({ blobId }) {
      const content = await openAttachment(task.accountId, blobId);
      if (!content) return null;
      const pieces: Buffer[] = [];
      let length = 0;
      for await (const piece of content) {
        pieces.push(Buffer.from(piece));
        length += pieces.at(-1)?.length ?? 0;
        if (length > mostBrandFileBytes) throw new Fault('internal', 'a file of a brand is larger than any can be');
      }
      return Buffer.concat(pieces);
    },
  };
}

/** Puts the files of the brand into the workspace, before the first tool that could look for them. */
export async function bringBrand({ task, ports, journal, stepTools }: Turn): Promise<void> {
  const { brand = null } = stepTools;
  if (brand) await journal.attend(() => placeBrand(brand, ports.workspaceOf(task)));
}
