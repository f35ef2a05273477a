import { type ReactNode, type Ref, useMemo, useRef } from 'react';
import { FileDialog } from '../previews/file-dialog.tsx';
import { downloadAll } from '../previews/files/download-all.ts';
import { useText } from '../text/locale.ts';
import { usePageTitle } from '../ui/display/page.tsx';
import { SkeletonList } from '../ui/display/skeleton.tsx';
import { showError } from '../ui/feedback/toast.tsx';
import { Announcer } from './announcer.tsx';
import { useTaskComments } from './comments/use-task-comments.tsx';
import { ConnectionNotice } from './connection-notice.tsx';
import { ConversationList } from './conversation-list.tsx';
import { HandedOverNote } from './handed-over-note.tsx';
import { TaskHeader } from './header/task-header.tsx';
import type { RowContext } from './rows/row-props.ts';
import { ReplayNotice } from './replay/replay-notice.tsx';
import { ReadOnlyNote } from './read-only-note.tsx';
import { StatusLine } from './status-line.tsx';
import { TaskComposer } from './task-composer.tsx';
import { TaskProblem } from './task-problem.tsx';
import { useOpenFile } from './use-open-file.ts';
import { useRatings } from './use-ratings.ts';
import { type RowTarget, useRowTarget } from './use-row-target.ts';
import { useAuthors } from './use-authors.ts';
import { useDisclosure } from './use-disclosure.ts';
import { type ShownTask, useTask } from './use-task.ts';
import { useTabMark } from './use-tab-mark.ts';
import { useTaskKeys } from './use-task-keys.ts';
import { useWorkbench, type Workbench as WorkbenchState } from './workbench/use-workbench.ts';
import { Workbench } from './workbench/workbench.tsx';
import { WorkbenchFrame } from './workbench/workbench-frame.tsx';

interface TalkProps {
  shown: ShownTask;
  context: RowContext;
  composerRef: Ref<HTMLTextAreaElement>;
  emptyState: ReactNode;
  bench: WorkbenchState;
  target: RowTarget;
}

/** The conversation with its composer. */
function Talk({ shown, context, composerRef, emptyState, bench, target }: TalkProps) {
  const { taskId, feed, outbox, task, access, isStopping, stop } = shown;
  const { conversation, state } = feed;
  const isReplay = bench.moment !== null;
  const mayAct = access?.kind === 'owner' || access?.kind === 'assignee';
  const view = bench.shown.view();
  const isLoading = conversation.eventCount === 0 && state.kind !== 'live';
  return (
    <>
      {isLoading || (emptyState && view.length === 0) ? (
        <div className="mx-auto w-full max-w-3xl flex-1 p-6">
          {isLoading ? <SkeletonList rows={4} className="h-16" /> : emptyState}
        </div>
      ) : (
        <ConversationList
          key={isReplay ? 'replay' : 'live'}
          view={view}
          context={context}
          history={feed.history}
          onRetryHistory={feed.retryNow}
          target={target.index}
          onReached={target.clear}
        />
      )}
      <div className="mx-auto flex w-full max-w-3xl flex-col gap-2 px-3 pt-1 pb-3 sm:px-6 sm:pb-4 print:hidden">
        <ConnectionNotice state={state} onRetry={feed.retryNow} />
        {isReplay ? (
          <ReplayNotice isLive={conversation.status === 'running'} onEnd={() => bench.seek(null)} />
        ) : (
          <StatusLine
            taskId={taskId}
            budget={task?.budget}
            conversation={conversation}
            isStopping={isStopping}
            onStop={mayAct ? () => stop?.() : null}
          />
        )}
        {access?.kind === 'reader' && <ReadOnlyNote email={access.email} team={access.team} />}
        {access?.kind === 'assignee' && <HandedOverNote email={access.email} />}
        {mayAct && (
          <TaskComposer
            taskId={taskId}
            takesFiles={access.kind === 'owner'}
            status={conversation.eventCount > 0 ? conversation.status : (task?.status ?? 'running')}
            onSend={(message) => {
              bench.seek(null);
              return outbox.send(message);
            }}
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

/** A task with everything that its owner, or whom it is handed over to, can do. */
export function TaskView({ taskId, renderHeader, emptyState }: TaskViewProps) {
  const text = useText();
  const shown = useTask(taskId);
  const { feed, task, access, actions, stop } = shown;
  const { conversation, state } = feed;
  const disclosure = useDisclosure();
  const composer = useRef<HTMLTextAreaElement>(null);
  const bench = useWorkbench(taskId, conversation);
  const isMarked = useTabMark(shown.status);
  usePageTitle(renderHeader ? null : task && `${isMarked ? '• ' : ''}${task.title || text.task.untitled}`);
  const { opened, openFile, enlarge, close } = useOpenFile(bench, conversation.files);
  const usable = bench.moment === null ? actions : null;
  const ratings = useRatings(taskId, conversation.eventCount > 0);
  const target = useRowTarget(bench, disclosure);
  const isOwner = access?.kind === 'owner';
  const nameAuthor = useAuthors(taskId, conversation, task, access);
  const { comment, tab } = useTaskComments({ taskId, task, isOwner, bench, target });
  const context = useMemo(
    () => ({ actions: usable, disclosure, openFile, ratings, comment, nameAuthor }),
    [usable, disclosure, openFile, ratings, comment, nameAuthor],
  );
  const toggleTools = () => disclosure.setAllOpen(!disclosure.isAllOpen);
  const endReplay = bench.moment === null ? null : () => bench.seek(null);
  useTaskKeys({ taskId, stop, close: close ?? endReplay, focusComposer: () => composer.current?.focus(), toggleTools });
  if (state.kind === 'gone' || state.kind === 'failed') return <TaskProblem state={state} />;
  const isReader = access !== null && !isOwner;
  return (
    <div data-fills-window className="flex h-full print:block print:h-auto">
      <div className="flex min-w-0 flex-1 flex-col print:block">
        {renderHeader?.(bench) ?? (
          <TaskHeader
            taskId={taskId}
            task={task}
            status={conversation.eventCount > 0 ? conversation.status : (task?.status ?? 'running')}
            bench={bench}
            isOwner={isOwner}
            isAllOpen={disclosure.isAllOpen}
            canDownload={conversation.files.some(({ isFromAgent }) => isFromAgent)}
            onToggleTools={toggleTools}
            onDownload={() => void downloadAll({ taskId }).catch(showError)}
          />
        )}
        <Talk shown={shown} context={context} composerRef={composer} emptyState={emptyState} bench={bench} target={target} />
      </div>
      <WorkbenchFrame bench={bench} isCovered={opened !== null}>
        <Workbench
          {...{ taskId, bench, isReader }}
          task={task ?? null}
          comments={tab}
          onOpenFile={openFile}
          onEnlarge={enlarge}
          onShowStep={target.show}
        />
      </WorkbenchFrame>
      <FileDialog file={opened} onClose={() => close?.()} />
    </div>
  );
}
