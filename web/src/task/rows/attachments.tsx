import type { Attachment } from '@errand/client';
import { useState } from 'react';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/locale.ts';
import { FileIcon } from '../../previews/panel/file-icon.tsx';
import { fileOfAttachment } from '../../previews/files/preview-file.ts';
import { joinClasses } from '../../ui/display/class-names.ts';

interface AttachmentProps {
  file: Attachment;
  onOpen(file: Attachment): void;
}

function Picture({ file, onOpen }: AttachmentProps) {
  const { task } = useText();
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return <Chip file={file} onOpen={onOpen} />;
  return (
    <button
      type="button"
      aria-label={task.open(file.filename)}
      className="block h-32 max-w-full overflow-hidden rounded-md border border-line bg-white hover:brightness-92"
      onClick={() => onOpen(file)}
    >
      <img
        src={file.url}
        alt=""
        loading="lazy"
        className="h-full w-auto min-w-12 max-w-64 object-contain"
        onError={() => setBroken(true)}
      />
    </button>
  );
}

function Chip({ file, onOpen }: AttachmentProps) {
  const { task } = useText();
  return (
    <button
      type="button"
      title={task.open(file.filename)}
      className="flex max-w-full min-w-0 items-center gap-2 rounded-md border border-line bg-card px-3 py-2 text-left text-sm hover:bg-hover"
      onClick={() => onOpen(file)}
    >
      <FileIcon file={fileOfAttachment(file)} className="size-4 text-soft" />
      <span className="truncate">{file.filename}</span>
    </button>
  );
}

const pictureType = /^image\/(png|jpeg|gif|webp|avif|bmp|svg\+xml)$/;

/** How many are shown; the others on request. */
const shownFiles = 8;

/** The files of a message. */
export function Attachments({
  files,
  onOpen,
  className,
}: {
  files: readonly Attachment[];
  onOpen(file: Attachment): void;
  className?: string;
}) {
  const { task } = useText();
  const format = useFormat();
  const [isWhole, setWhole] = useState(files.length <= shownFiles + 1);
  if (files.length === 0) return null;
  const shown = isWhole ? files : files.slice(0, shownFiles);
  return (
    <ul aria-label={task.attachments} className={joinClasses('flex flex-wrap gap-2', className)}>
      {shown.map((file, index) => (
        <li key={`${index} ${file.filename}`} className="min-w-0 max-w-full">
          {pictureType.test(file.content_type) ? <Picture file={file} onOpen={onOpen} /> : <Chip file={file} onOpen={onOpen} />}
        </li>
      ))}
      {!isWhole && (
        <li>
          <button
            type="button"
            className="rounded-md px-3 py-2 text-sm text-accent hover:bg-hover"
            onClick={() => setWhole(true)}
          >
            {task.moreFiles(format.number(files.length - shown.length))}
          </button>
        </li>
      )}
    </ul>
  );
}
