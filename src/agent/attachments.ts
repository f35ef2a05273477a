import type { Turn } from './ports.ts';

/**
 * Puts the files of the user's messages into the workspace, before the first tool that could look for them. They are written again
 * when a crash came before the note that they are there; no tool has run in between. One whose bytes are gone is passed over.
 */
export async function bringAttachments({ task, journal, ports }: Turn): Promise<void> {
  const { attachments, placed } = journal.state;
  if (attachments.length === placed) return;
  const workspace = ports.workspaceOf(task);
  await journal.attend(async (signal) => {
    for (const { path, blobId, bytes } of attachments.slice(placed)) {
      signal.throwIfAborted();
      const content = await ports.openAttachment(task.accountId, blobId);
      if (content) await workspace.receive(path, content, bytes);
    }
  });
  await journal.append([{ type: 'attachments_placed', count: attachments.length }]);
}
