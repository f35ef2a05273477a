import { Download } from 'lucide-react';
import { type ReactNode } from 'react';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/locale.ts';
import { buttonClasses } from '../../ui/controls/button.tsx';
import { downloadAddress } from '../files/download.ts';
import { FileIcon } from './file-icon.tsx';
import type { PreviewFile } from '../files/preview-file.ts';

/** Facts about a file, and a download button. For files that cannot be previewed. */
export function FileFacts({ file, children }: { file: PreviewFile; children?: ReactNode }) {
  const { previews } = useText();
  const format = useFormat();
  const facts = [file.contentType, file.bytes === undefined ? '' : format.bytes(file.bytes)].filter(Boolean);
  return (
    <div className="flex min-h-64 flex-1 flex-col items-center justify-center gap-3 px-6 py-10 text-center">
      <FileIcon file={file} className="size-10 text-soft" />
      <p dir="auto" className="max-w-md font-medium wrap-anywhere">
        {file.filename}
      </p>
      {facts.length > 0 && <p className="text-sm text-soft">{facts.join(' · ')}</p>}
      <div className="max-w-md text-sm text-soft">{children ?? <p>{previews.cannotShow}</p>}</div>
      {file.url !== '' && (
        <a href={downloadAddress(file.url)} download={file.filename} className={buttonClasses('secondary')} rel="noreferrer">
          <Download aria-hidden className="size-4" />
          {previews.download}
        </a>
      )}
    </div>
  );
}
