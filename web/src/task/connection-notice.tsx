import { RefreshCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import type { FeedState } from './feed/task-feed.ts';

/** Short interruptions are not shown. */
const graceMs = 1_500;

function Countdown({ atMs }: { atMs: number }) {
  const { task } = useText();
  const format = useFormat();
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.ceil((atMs - nowMs) / 1_000);
  return seconds > 0 ? task.reconnectingIn(format.number(seconds)) : task.reconnecting;
}

function Notice({ state, onRetry }: ConnectionNoticeProps) {
  const { task } = useText();
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), graceMs);
    return () => clearTimeout(timer);
  }, []);
  if (!isShown) return null;
  return (
    <div className="flex flex-wrap items-center gap-2 rounded-md bg-warn-soft px-3 py-1.5 text-sm text-warn">
      <RefreshCw aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 flex-1">
        {state.kind === 'reconnecting' ? <Countdown atMs={state.atMs} /> : task.reconnecting}
      </span>
      {state.kind === 'reconnecting' && (
        <Button size="small" look="quiet" onClick={onRetry}>
          {task.tryNow}
        </Button>
      )}
    </div>
  );
}

export interface ConnectionNoticeProps {
  state: FeedState;
  onRetry(): void;
}

/** Shows when the page may be out of date, and that it is reconnecting. Being offline is shown by the page's frame. */
export function ConnectionNotice(props: ConnectionNoticeProps) {
  const { kind } = props.state;
  return <div role="status">{(kind === 'reconnecting' || kind === 'connecting') && <Notice {...props} />}</div>;
}
