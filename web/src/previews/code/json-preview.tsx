import { useText } from '../../text/locale.ts';
import { PreviewFault } from '../files/preview-fault.ts';
import { PreviewLoading } from '../panel/preview-loading.tsx';
import { PreviewProblem } from '../panel/preview-problem.tsx';
import type { PreviewViewProps } from '../panel/preview-view.ts';
import { useFile } from '../files/use-file.ts';
import { startTrustedWorker } from '../files/trusted-worker.ts';
import { callWorker } from '../files/worker-call.ts';
import { CodePreview } from './code-preview.tsx';
import { JsonBranch } from './json-branch.tsx';
import { ScrollRegion } from '../panel/scroll-region.tsx';
// oxlint-disable-next-line import/default -- the build provides the URL of the file
import workerUrl from './json-worker.ts?worker&url';

const maxBytes = 10_000_000;
const timeoutMs = 8_000;

const startWorker = () => startTrustedWorker(workerUrl);

/** JSON as a tree; invalid or very large files as text. */
export function JsonPreview(view: PreviewViewProps) {
  const { previews } = useText();
  const { value, error } = useFile('json', view.file, { maxBytes }, async (bytes, _isCut, signal) => ({
    root: await callWorker<unknown>(startWorker, bytes, { timeoutMs, signal, transfer: [bytes.buffer] }),
  }));
  const isText = error instanceof PreviewFault && ['broken', 'slow', 'tooLarge'].includes(error.trouble);
  if (isText) return <CodePreview {...view} />;
  if (error) return <PreviewProblem {...view} error={error} />;
  if (!value) return <PreviewLoading />;
  return (
    <ScrollRegion
      label={`${view.file.filename}, ${previews.tree}`}
      className="min-h-0 flex-1 overflow-auto px-4 py-3 font-mono text-xs leading-6"
    >
      <JsonBranch name={null} value={value.root} depth={0} />
    </ScrollRegion>
  );
}
