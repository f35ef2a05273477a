import { ShieldCheck } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useText } from '../../text/locale.ts';
import { Button } from '../../ui/controls/button.tsx';
import type { PreviewViewProps } from '../panel/preview-view.ts';
import { PreviewFrame } from './preview-frame.tsx';

/** Shows a page without its scripts at first, and with them on request. */
export function PageView({ file, html }: Pick<PreviewViewProps, 'file'> & { html: string }) {
  const { previews } = useText();
  const [isLive, setLive] = useState(false);
  const hasScripts = useMemo(() => /<script|\son[a-z]+\s*=/i.test(html), [html]);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {hasScripts && (
        <div className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-4 py-2 text-sm text-soft">
          <ShieldCheck aria-hidden className="size-4 shrink-0" />
          <p className="min-w-0 flex-1 basis-56">{isLive ? previews.scriptsRun : previews.scriptsOff}</p>
          <Button size="small" onClick={() => setLive(!isLive)}>
            {isLive ? previews.stopScripts : previews.runScripts}
          </Button>
        </div>
      )}
      <PreviewFrame
        fileUrl={file.url}
        html={html}
        title={file.filename}
        isLive={isLive}
        className="min-h-0 w-full flex-1 bg-white"
      />
    </div>
  );
}
