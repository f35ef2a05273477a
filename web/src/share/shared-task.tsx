import type { Attachment } from '@errand/client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { WebResponse } from '../api/web-call.ts';
import { FileDialog } from '../previews/file-dialog.tsx';
import { fileOfAttachment } from '../previews/files/preview-file.ts';
import { Announcer } from '../task/announcer.tsx';
import { ConnectionNotice } from '../task/connection-notice.tsx';
import { ConversationList } from '../task/conversation-list.tsx';
import { useTaskFeed } from '../task/feed/use-task-feed.ts';
import { Scrubber } from '../task/replay/scrubber.tsx';
import { useReplay } from '../task/replay/use-replay.ts';
import { useDisclosure } from '../task/use-disclosure.ts';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/locale.ts';
import { SkeletonList } from '../ui/display/skeleton.tsx';
import { ErrorState } from '../ui/feedback/state.tsx';
import { ShareFrame } from './share-frame.tsx';
import { ShareFiles } from './share-files.tsx';
import { shareSource } from './share-source.ts';

interface SharedTaskProps {
  shareId: string;
  task: WebResponse<'share.detail'>['task'];
}

/** The live conversation of a shared task. Viewers can open files and do nothing else. */
export function SharedTask({ shareId, task }: SharedTaskProps) {
  const text = useText();
  const format = useFormat();
  const client = useQueryClient();
  const feed = useTaskFeed(useMemo(() => shareSource(shareId), [shareId]));
  const disclosure = useDisclosure();
  const [opened, setOpened] = useState<Attachment | null>(null);
  const context = useMemo(() => ({ actions: null, disclosure, openFile: setOpened }), [disclosure]);
  const { conversation, state } = feed;
  const { moment, shown, seek } = useReplay(conversation);
  // Sharing may have ended, or be limited to a team: the page checks that.
  const isOver = state.kind === 'gone' || state.kind === 'signed-out';
  useEffect(() => {
    if (isOver) void client.resetQueries({ queryKey: ['share', shareId] });
  }, [isOver, client, shareId]);
  const status = conversation.eventCount > 0 ? conversation.status : task.status;
  const facts = [text.task.status[status], format.date(task.created_at * 1000)].join(' · ');
  const isLoading = conversation.eventCount === 0 && state.kind !== 'live';
  return (
    <ShareFrame
      title={task.title || text.app.untitled}
      facts={facts}
      actions={<ShareFiles shareId={shareId} files={conversation.files} onOpen={setOpened} />}
    >
      {state.kind === 'failed' ? (
        <div className="mx-auto w-full max-w-3xl flex-1 p-6">
          <ErrorState error={new Error(state.problem)} onRetry={() => window.location.reload()} />
        </div>
      ) : isLoading ? (
        <div className="mx-auto w-full max-w-3xl flex-1 p-6">
          <SkeletonList rows={4} className="h-16" />
        </div>
      ) : (
        <ConversationList
          key={moment === null ? 'live' : 'replay'}
          view={shown.view()}
          context={context}
          history={feed.history}
          onRetryHistory={() => feed.retryNow()}
        />
      )}
      <div className="mx-auto w-full max-w-3xl px-4 sm:px-6">
        <ConnectionNotice state={state} onRetry={() => feed.retryNow()} />
      </div>
      <div className="mx-auto w-full max-w-3xl">
        <Scrubber live={conversation} moment={moment} onSeek={seek} onTrace={null} />
      </div>
      <Announcer conversation={conversation} state={state} />
      <FileDialog file={opened && fileOfAttachment(opened)} onClose={() => setOpened(null)} />
    </ShareFrame>
  );
}
