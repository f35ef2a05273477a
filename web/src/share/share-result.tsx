import type { Attachment } from '@errand/client';
import type { PreviewFile } from '../previews/files/preview-file.ts';
import type { Conversation } from '../task/conversation/conversation.ts';
import { ResultView } from '../task/workbench/result-view.tsx';
import { useText } from '../text/locale.ts';

interface ShareResultProps {
  conversation: Conversation;
  /** The key of the chosen deliverable; null for the newest. */
  chosen: string | null;
  onChoose(key: string): void;
  onOpenFile(file: Attachment): void;
  onEnlarge(file: PreviewFile): void;
}

/** What a shared task has made, beside its conversation. */
export function ShareResult(props: ShareResultProps) {
  const { workbench } = useText();
  return (
    <aside aria-label={workbench.result} className="flex w-[55%] max-w-6xl shrink-0 flex-col border-l border-line print:hidden">
      <ResultView taskId={null} isReader {...props} />
    </aside>
  );
}
