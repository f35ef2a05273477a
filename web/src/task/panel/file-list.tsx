import type { Attachment } from '@errand/client';
import { Download } from 'lucide-react';
import { downloadAddress } from '../../previews/files/download.ts';
import { FileIcon } from '../../previews/panel/file-icon.tsx';
import { fileOfAttachment } from '../../previews/files/preview-file.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/locale.ts';
import type { TaskFile } from '../conversation/row.ts';

interface FileListProps {
  files: readonly TaskFile[];
  /** Whether the viewer is not the owner of the files. */
  isReader?: boolean;
  /** Whether the surrounding section already has a heading. */
  isUntitled?: boolean;
  onOpen(file: Attachment): void;
}

function FileLine({ file, onOpen }: { file: TaskFile; onOpen: FileListProps['onOpen'] }) {
  const { task } = useText();
  const format = useFormat();
  const { attachment } = file;
  return (
    <li className="flex items-center gap-1">
      <button
        type="button"
        className="flex min-w-0 flex-1 items-center gap-2.5 rounded-md px-2 py-1.5 text-left text-sm hover:bg-hover pointer-coarse:py-2.5"
        onClick={() => onOpen(attachment)}
      >
        <FileIcon file={fileOfAttachment(attachment)} className="size-4 text-soft" />
        <span className="min-w-0">
          <span className="block truncate" title={attachment.filename}>
            {attachment.filename}
          </span>
          <span className="block text-xs text-soft" title={format.dateTime(file.atMs)}>
            {format.minute(file.atMs)}
          </span>
        </span>
      </button>
      <a
        href={downloadAddress(attachment.url)}
        download={attachment.filename}
        rel="noreferrer"
        aria-label={`${task.download} ${attachment.filename}`}
        title={task.download}
        className="inline-flex size-8 shrink-0 items-center justify-center rounded-md text-soft hover:bg-hover hover:text-ink pointer-coarse:size-10"
      >
        <Download aria-hidden className="size-4" />
      </a>
    </li>
  );
}

function FileGroup({ title, files, onOpen }: Pick<FileListProps, 'files' | 'onOpen'> & { title: string }) {
  if (files.length === 0) return null;
  return (
    <div className="mt-2">
      <h3 className="px-2 pb-0.5 text-xs text-soft">{title}</h3>
      <ul>
        {files.map((file) => (
          <FileLine key={file.attachment.filename} file={file} onOpen={onOpen} />
        ))}
      </ul>
    </div>
  );
}

/** The files of a task, newest first: what the agent delivered, and what it was given. */
export function FileList({ files, isReader = false, isUntitled = false, onOpen }: FileListProps) {
  const { task } = useText();
  const newest = files.toSorted((a, b) => b.atMs - a.atMs);
  return (
    <section aria-label={task.files}>
      {!isUntitled && <h2 className="text-sm font-semibold">{task.files}</h2>}
      {files.length === 0 && <p className="mt-1 text-sm text-soft">{task.noFiles}</p>}
      <div className="-mx-2">
        <FileGroup title={task.filesFrom.agent} files={newest.filter(({ isFromAgent }) => isFromAgent)} onOpen={onOpen} />
        <FileGroup
          title={isReader ? task.filesFrom.owner : task.filesFrom.you}
          files={newest.filter(({ isFromAgent }) => !isFromAgent)}
          onOpen={onOpen}
        />
      </div>
    </section>
  );
}
