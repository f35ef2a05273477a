import { attachmentFolder } from '../rules/messages/attachment-place.ts';
import type { Workspace } from '@errand/sandbox/workspace';
import type { Turn } from './agent-ports.ts';

/** Far more than a task has files. */
const mostPlaced = 10_000;

async function listPlaced(workspace: Workspace): Promise<string[]> {
  const entries = await workspace.list(attachmentFolder, mostPlaced).catch(() => []);
  return entries.map(({ path }) => path);
}

/**
 * Puts the files of the user's messages into the workspace, before the first tool that could look for them. They are written again
 * when a crash came before the note that they are there; no tool has run in between. One whose bytes are gone is passed over.
 */
export async function bringAttachments({ task, journal, ports, workspace: run }: Turn): Promise<void> {
  const state = await journal.attend(() => run.ready());
  const { attachments, placed } = journal.state;
  if (attachments.length === placed && state === 'kept') return;
  const workspace = ports.workspaceOf(task);
  // On another machine some may be missing that had been there when the last copy was not made yet.
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
