import { WrapText } from 'lucide-react';
import { useState } from 'react';
import { useText } from '../../text/locale.ts';
import { CopyButton } from '../../ui/feedback/copy-button.tsx';
import { CutNote } from '../panel/cut-note.tsx';
import { decodeText } from '../files/decode-text.ts';
import { EmptyFile } from '../panel/empty-file.tsx';
import { PreviewLoading } from '../panel/preview-loading.tsx';
import { PreviewProblem } from '../panel/preview-problem.tsx';
import type { PreviewViewProps } from '../panel/preview-view.ts';
import { chooseKind } from '../files/preview-kind.ts';
import { ToolBar, ToolButton } from '../panel/tool-bar.tsx';
import { useFile } from '../files/use-file.ts';
import { CodeLines } from './code-lines-view.tsx';
import { useCodeLines } from './use-code-lines.ts';

const maxBytes = 2_000_000;

function CodeText({ file, text, isCut }: PreviewViewProps & { text: string; isCut: boolean }) {
  const { previews } = useText();
  const [isWrapped, setWrapped] = useState(chooseKind(file) === 'text');
  const lines = useCodeLines(file.url, file.filename, text);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <ToolBar label={previews.textTools}>
        <span className="px-2 text-xs text-soft tabular-nums">{previews.lineCount(lines.length)}</span>
        <span className="ml-auto flex items-center gap-1">
          <ToolButton label={previews.wrap} isPressed={isWrapped} onClick={() => setWrapped(!isWrapped)}>
            <WrapText />
          </ToolButton>
          <CopyButton text={text} />
        </span>
      </ToolBar>
      {isCut && <CutNote />}
      <CodeLines label={file.filename} lines={lines} isWrapped={isWrapped} />
    </div>
  );
}

/** Code and other plain text, with numbered lines. */
export function CodePreview(view: PreviewViewProps) {
  const { value, error } = useFile('text', view.file, { maxBytes, canCut: true }, (bytes, isCut) => ({
    text: decodeText(bytes),
    isCut,
  }));
  if (error) return <PreviewProblem {...view} error={error} />;
  if (!value) return <PreviewLoading />;
  if (value.text === '') return <EmptyFile file={view.file} />;
  return <CodeText {...view} {...value} />;
}
