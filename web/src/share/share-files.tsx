import type { Attachment } from '@errand/client';
import { Download, Files } from 'lucide-react';
import { useState } from 'react';
import { callWeb } from '../api/web-call.ts';
import { startDownload } from '../previews/files/download.ts';
import type { TaskFile } from '../task/conversation/row.ts';
import { FileList } from '../task/panel/file-list.tsx';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { useAction } from '../ui/feedback/use-action.ts';

interface ShareFilesProps {
  shareId: string;
  files: readonly TaskFile[];
  onOpen(file: Attachment): void;
}

/** The files of a shared task: individually, or the agent's as one zip file. */
export function ShareFiles({ shareId, files, onOpen }: ShareFilesProps) {
  const { share, task } = useText();
  const format = useFormat();
  const [isOpen, setOpen] = useState(false);
  const download = useAction(() => callWeb('share.archive', { share_id: shareId }), {
    onDone: ({ url, filename }) => startDownload(url, filename),
  });
  if (files.length === 0) return null;
  const open = (file: Attachment) => {
    setOpen(false);
    onOpen(file);
  };
  const hasMade = files.some(({ isFromAgent }) => isFromAgent);
  const actions = hasMade && (
    <Button look="primary" isBusy={download.isPending} onClick={() => download.mutate(undefined)}>
      <Download aria-hidden className="size-4" />
      {task.downloadAll}
    </Button>
  );
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        <Files aria-hidden className="size-4" />
        {share.files(files.length, format.number(files.length))}
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={task.files} {...(actions && { actions })}>
        <FileList files={files} isReader isUntitled onOpen={open} />
      </Dialog>
    </>
  );
}
