import { useText } from '../../text/locale.ts';
import { Button } from '../../ui/controls/button.tsx';
import { FileFacts } from './file-facts.tsx';
import { PreviewFault } from '../files/preview-fault.ts';
import type { PreviewViewProps } from './preview-view.ts';

interface PreviewProblemProps extends PreviewViewProps {
  error: unknown;
}

/** Why a file cannot be shown, and what to do. */
export function PreviewProblem({ file, error, onRefresh }: PreviewProblemProps) {
  const { previews, ui } = useText();
  const trouble = error instanceof PreviewFault ? error.trouble : 'broken';
  const helps = trouble === 'expired' || trouble === 'unreachable' || trouble === 'busy';
  return (
    <FileFacts file={file}>
      <p role="alert">{previews.troubles[trouble]}</p>
      {helps && onRefresh && (
        <Button size="small" className="mt-3" onClick={() => void onRefresh()}>
          {trouble === 'expired' ? previews.refreshLink : ui.retry}
        </Button>
      )}
    </FileFacts>
  );
}
