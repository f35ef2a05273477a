import { Download, ExternalLink } from 'lucide-react';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/locale.ts';
import { Tooltip } from '../ui/controls/tooltip.tsx';
import { downloadAddress } from './files/download.ts';
import { FileIcon } from './panel/file-icon.tsx';
import { PanelFrame, type PanelFrameProps, panelLinkClasses } from './panel/panel-frame.tsx';
import { Preview } from './preview.tsx';
import type { PreviewFile } from './files/preview-file.ts';
import { chooseKind } from './files/preview-kind.ts';
import type { PreviewViewProps } from './panel/preview-view.ts';

/** Kinds that the content origin lets browsers show natively. */
const openable = new Set(['audio', 'image', 'text', 'video']);

/** Whether the file's own URL shows it. */
export function canOpenInTab(file: PreviewFile): boolean {
  return openable.has(chooseKind(file));
}

export interface PreviewPanelProps extends PreviewViewProps, Pick<PanelFrameProps, 'actions' | 'isDialog' | 'onClose'> {
  /** Title of the file, if it differs from the filename. */
  name?: string;
}

/** A file with its name and controls. Fills its space: put it into a flex column with a height. */
export function PreviewPanel({ file, onRefresh, name = file.filename, onClose, actions, isDialog }: PreviewPanelProps) {
  const { previews } = useText();
  const format = useFormat();
  const links = (
    <>
      {actions}
      {canOpenInTab(file) && (
        <Tooltip label={previews.openInTab}>
          <a href={file.url} target="_blank" rel="noreferrer" aria-label={previews.openInTab} className={panelLinkClasses}>
            <ExternalLink aria-hidden className="size-4.5" />
          </a>
        </Tooltip>
      )}
      <Tooltip label={previews.download}>
        <a
          href={downloadAddress(file.url)}
          download={file.filename}
          rel="noreferrer"
          aria-label={previews.download}
          className={panelLinkClasses}
        >
          <Download aria-hidden className="size-4.5" />
        </a>
      </Tooltip>
    </>
  );
  return (
    <PanelFrame
      icon={<FileIcon file={file} className="size-5 text-soft" />}
      name={name}
      detail={file.bytes === undefined ? undefined : format.bytes(file.bytes)}
      actions={links}
      onClose={onClose}
      isDialog={isDialog}
    >
      <Preview file={file} {...(onRefresh && { onRefresh })} />
    </PanelFrame>
  );
}
