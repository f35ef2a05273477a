import { History, SkipForward } from 'lucide-react';
import { useText } from '../../text/locale.ts';
import { Button } from '../../ui/controls/button.tsx';

interface ReplayNoticeProps {
  /** Whether the task is still running. */
  isLive: boolean;
  onEnd(): void;
}

/** Says that the conversation is shown as it was, and leads back. */
export function ReplayNotice({ isLive, onEnd }: ReplayNoticeProps) {
  const { workbench } = useText();
  return (
    <div role="status" className="flex min-h-8 min-w-0 items-center gap-2 px-1 text-sm text-soft">
      <History aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 flex-1">{workbench.replaying}</span>
      <Button size="small" onClick={onEnd}>
        <SkipForward aria-hidden className="size-3.5" />
        {isLive ? workbench.backToLive : workbench.backToEnd}
      </Button>
    </div>
  );
}
