import { attachmentFolder } from '../../rules/messages/attachment-place.ts';
import type { Workspace } from '@errand/sandbox/workspace';
import { placeBrand } from '../../tools/brands/task-brand.ts';
import type { TaskRun } from '../agent-ports.ts';

/** Far more files than a task has. */
const mostPlaced = 10_000;

async function listPlaced(workspace: Workspace): Promise<string[]> {
  const entries = await workspace.list(attachmentFolder, mostPlaced).catch(() => []);
  return entries.map(({ path }) => path);
}

/**
 * Writes the files of the user's messages to the workspace, before the first tool that could look for them. They are rewritten if a crash
 * came before that was logged; no tool has run in between. Files whose bytes are gone are skipped.
 */
export async function bringAttachments({ task, journal, ports, workspace: folder }: TaskRun): Promise<void> {
  const state = await journal.attend(() => folder.ready());
  await folder.reportLeftOut?.((leftOut) => journal.append([{ type: 'files_left_out', ...leftOut }]));
  const { attachments, placed } = journal.state;
  if (attachments.length === placed && state === 'kept') return;
  const workspace = ports.workspaceOf(task);
  // On another machine, files placed after the last workspace copy may be missing.
  const there = new Set(state === 'new' ? await listPlaced(workspace) : attachments.slice(0, placed).map(({ path }) => path));
  await journal.attend(async (signal) => {
    for (const { path, blobId, bytes } of attachments.filter((each) => !there.has(each.path))) {
      signal.throwIfAborted();
      const content = await ports.openAttachment(task.accountId, blobId);
      if (content) await workspace.receive(path, content, bytes);
    }
  });
  if (attachments.length > placed) await journal.append([{ type: 'attachments_placed', count: attachments.length }]);
}

/** Puts the files of the brand into the workspace, before the first tool that could look for them. */
export async function bringBrand({ task, ports, journal, stepTools }: TaskRun): Promise<void> {
  const { brand = null } = stepTools;
  if (brand) await journal.attend(() => placeBrand(brand, ports.workspaceOf(task)));
}
