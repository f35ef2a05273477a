import type { Attachment } from '@errand/client';
import { type ReactNode, type Ref, useMemo, useRef, useState } from 'react';
import { downloadAll } from '../previews/files/download-all.ts';
import { useText } from '../text/locale.ts';
import { usePageTitle } from '../ui/display/page.tsx';
import { SkeletonList } from '../ui/display/skeleton.tsx';
import { showError } from '../ui/feedback/toast.tsx';
import { Announcer } from './announcer.tsx';
import { ConnectionNotice } from './connection-notice.tsx';
import { ConversationList } from './conversation-list.tsx';
import { TaskHeader } from './header/task-header.tsx';
import { FilePlace } from './panel/file-place.tsx';
import { SideFrame, useSidePanel } from './panel/side-frame.tsx';
import { SidePanel } from './panel/side-panel.tsx';
import type { RowContext } from './rows/row-props.ts';
import { ReadOnlyNote } from './read-only-note.tsx';
import { StatusLine } from './status-line.tsx';
import { TaskComposer } from './task-composer.tsx';
import { TaskProblem } from './task-problem.tsx';
import { useDisclosure } from './use-disclosure.ts';
import { type ShownTask, useTask } from './use-task.ts';
import { useTabMark } from './use-tab-mark.ts';
import { useTaskKeys } from './use-task-keys.ts';

interface TalkProps {
  shown: ShownTask;
  context: RowContext;
  composerRef: Ref<HTMLTextAreaElement>;
  emptyState: ReactNode;
}

/** The conversation with its composer. */
function Talk({ shown, context, composerRef, emptyState }: TalkProps) {
  const { taskId, feed, outbox, task, access, isStopping, stop } = shown;
  const { conversation, state } = feed;
  const view = conversation.view();
  const isLoading = conversation.eventCount === 0 && state.kind !== 'live';
  return (
    <>
      {isLoading || (emptyState && view.length === 0) ? (
        <div className="mx-auto w-full max-w-3xl flex-1 p-6">
          {isLoading ? <SkeletonList rows={4} className="h-16" /> : emptyState}
        </div>
      ) : (
        <ConversationList view={view} context={context} history={feed.history} onRetryHistory={feed.retryNow} />
      )}
      <div className="mx-auto flex w-full max-w-3xl flex-col gap-2 px-3 pt-1 pb-3 sm:px-6 sm:pb-4">
        <ConnectionNotice state={state} onRetry={feed.retryNow} />
        <StatusLine
          taskId={taskId}
          conversation={conversation}
          isStopping={isStopping}
          onStop={access?.kind === 'owner' ? () => stop?.() : null}
        />
        {access?.kind === 'reader' && <ReadOnlyNote email={access.email} team={access.team} />}
        {access?.kind === 'owner' && (
          <TaskComposer
            taskId={taskId}
            status={conversation.eventCount > 0 ? conversation.status : (task?.status ?? 'running')}
            onSend={(message) => outbox.send(message)}
            ref={composerRef}
          />
        )}
        {/* The place of either, so that nothing jumps when it is known which. */}
        {access === null && <div aria-hidden className="h-24" />}
      </div>
      <Announcer conversation={conversation} state={state} />
    </>
  );
}

export interface TaskViewProps {
  taskId: string;
  /** Replaces the task header, as on the agent's page. */
  renderHeader?: (panel: { isOpen: boolean; toggle(): void }) => ReactNode;
  /** Shown while the conversation is empty. */
  emptyState?: ReactNode;
}

/** A task with everything that its owner can do. */
export function TaskView({ taskId, renderHeader, emptyState }: TaskViewProps) {
  const text = useText();
  const shown = useTask(taskId);
  const { feed, task, access, actions, stop } = shown;
  const { conversation, state } = feed;
  const disclosure = useDisclosure();
  const composer = useRef<HTMLTextAreaElement>(null);
  const [isEditing, setEditing] = useState(false);
  const panel = useSidePanel(conversation.plan.length > 0 || conversation.files.length > 0);
  const isMarked = useTabMark(shown.status);
  usePageTitle(renderHeader ? null : task && `${isMarked ? '• ' : ''}${task.title || text.task.untitled}`);
  const [openedFile, openFile] = useState<Attachment | null>(null);
  const context = useMemo(() => ({ actions, disclosure, openFile }), [actions, disclosure, openFile]);
  const toggleTools = () => disclosure.setAllOpen(!disclosure.isAllOpen);
  const close = openedFile && (() => openFile(null));
  useTaskKeys({ taskId, stop, close, focusComposer: () => composer.current?.focus(), toggleTools });
  if (state.kind === 'gone' || state.kind === 'failed') return <TaskProblem state={state} />;
  return (
    <div className="flex h-[var(--page-height,100dvh)] min-h-0">
      <div className="flex min-w-0 flex-1 flex-col">
        {renderHeader?.(panel) ?? (
          <TaskHeader
            taskId={taskId}
            task={task}
            status={conversation.eventCount > 0 ? conversation.status : (task?.status ?? 'running')}
            isEditing={isEditing}
            setEditing={setEditing}
            isPanelOpen={panel.isOpen}
            onTogglePanel={panel.toggle}
            isOwner={access?.kind === 'owner'}
            isAllOpen={disclosure.isAllOpen}
            canDownload={conversation.files.some(({ isFromAgent }) => isFromAgent)}
            onRename={() => setEditing(true)}
            onToggleTools={toggleTools}
            onDownload={() => void downloadAll({ taskId }).catch(showError)}
          />
        )}
        <Talk shown={shown} context={context} composerRef={composer} emptyState={emptyState} />
      </div>
      <SideFrame panel={panel} isCovered={openedFile !== null}>
        <SidePanel conversation={conversation} task={task ?? null} isReader={access?.kind === 'reader'} onOpenFile={openFile} />
      </SideFrame>
      <FilePlace file={openedFile} onClose={() => openFile(null)} />
    </div>
  );
}
