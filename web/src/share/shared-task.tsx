import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { WebResponse } from '../api/web-call.ts';
import { FileDialog } from '../previews/file-dialog.tsx';
import { Announcer } from '../task/announcer.tsx';
import { ConnectionNotice } from '../task/connection-notice.tsx';
import { ConversationList } from '../task/conversation-list.tsx';
import type { TaskFile } from '../task/conversation/row.ts';
import { useTaskFeed } from '../task/feed/use-task-feed.ts';
import { Scrubber } from '../task/replay/scrubber.tsx';
import { useReplay } from '../task/replay/use-replay.ts';
import { useDisclosure } from '../task/use-disclosure.ts';
import { useMedia } from '../task/use-media.ts';
import { useOpenFile } from '../task/use-open-file.ts';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/locale.ts';
import { SkeletonList } from '../ui/display/skeleton.tsx';
import { ErrorState } from '../ui/feedback/state.tsx';
import { ShareFrame } from './share-frame.tsx';
import { ShareFiles } from './share-files.tsx';
import { ShareResult } from './share-result.tsx';
import { shareSource } from './share-source.ts';

/** Wide enough for a conversation and its result side by side. */
const wide = '(min-width: 75rem)';
const noFiles: readonly TaskFile[] = [];

interface SharedTaskProps {
  shareId: string;
  task: WebResponse<'share.detail'>['task'];
}

/** Has the page check what became of the task: it may not be shared any more, or only with a team. */
function useEndOfSharing(shareId: string, isOver: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (isOver) void client.resetQueries({ queryKey: ['share', shareId] });
  }, [isOver, client, shareId]);
}

/** The place of a conversation that is loading, or cannot be loaded. */
function NotShown({ problem }: { problem: string | null }) {
  return (
    <div className="mx-auto w-full max-w-3xl flex-1 p-6">
      {problem === null ? (
        <SkeletonList rows={4} className="h-16" />
      ) : (
        <ErrorState error={new Error(problem)} onRetry={() => window.location.reload()} />
      )}
    </div>
  );
}

/** The live conversation of a shared task. Viewers can open files and do nothing else. */
export function SharedTask({ shareId, task }: SharedTaskProps) {
  const text = useText();
  const format = useFormat();
  const feed = useTaskFeed(useMemo(() => shareSource(shareId), [shareId]));
  const disclosure = useDisclosure();
  const { conversation, state } = feed;
  const { moment, shown, seek } = useReplay(conversation);
  const [deliverable, showDeliverable] = useState<string | null>(null);
  const isWide = useMedia(wide) && shown.files.some(({ isFromAgent }) => isFromAgent);
  const { opened, openFile, enlarge, close } = useOpenFile({ showDeliverable }, isWide ? shown.files : noFiles);
  const context = useMemo(() => ({ actions: null, disclosure, openFile }), [disclosure, openFile]);
  useEndOfSharing(shareId, state.kind === 'gone' || state.kind === 'signed-out');
  const status = conversation.eventCount > 0 ? conversation.status : task.status;
  const facts = [text.task.status[status], format.date(task.created_at * 1000)].join(' · ');
  const problem = state.kind === 'failed' ? state.problem : null;
  const isLoading = conversation.eventCount === 0 && state.kind !== 'live';
  return (
    <ShareFrame
      title={task.title || text.app.untitled}
      facts={facts}
      isWide={isWide}
      actions={<ShareFiles shareId={shareId} files={conversation.files} onOpen={openFile} />}
    >
      <div className="flex min-h-0 flex-1 print:block">
        <div className="flex min-w-0 flex-1 flex-col print:block">
          {problem === null && !isLoading ? (
            <ConversationList
              key={moment === null ? 'live' : 'replay'}
              view={shown.view()}
              context={context}
              history={feed.history}
              onRetryHistory={() => feed.retryNow()}
            />
          ) : (
            <NotShown problem={problem} />
          )}
          <div className="mx-auto w-full max-w-3xl px-4 sm:px-6">
            <ConnectionNotice state={state} onRetry={() => feed.retryNow()} />
          </div>
          <div className="mx-auto w-full max-w-3xl">
            <Scrubber live={conversation} moment={moment} onSeek={seek} onTrace={null} />
          </div>
        </div>
        {isWide && (
          <ShareResult
            conversation={shown}
            chosen={deliverable}
            onChoose={showDeliverable}
            onOpenFile={openFile}
            onEnlarge={enlarge}
          />
        )}
      </div>
      <Announcer conversation={conversation} state={state} />
      <FileDialog file={opened} onClose={() => close?.()} />
    </ShareFrame>
  );
}
