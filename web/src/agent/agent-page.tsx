import type { Agent } from '@errand/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { MessagesSquare, PanelRight, Pencil } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { errand } from '../api/errand.ts';
import { keys } from '../api/query-keys.ts';
import { TaskList } from '../task-list/task-list.tsx';
import { useText } from '../text/locale.ts';
import { Avatar } from '../ui/display/avatar.tsx';
import { IconButton } from '../ui/controls/icon-button.tsx';
import { Page, usePageTitle } from '../ui/display/page.tsx';
import { SkeletonList } from '../ui/display/skeleton.tsx';
import { EmptyState, ErrorState } from '../ui/feedback/state.tsx';
import { ClearAgent } from './clear-agent.tsx';
import { AgentDialog } from './agent-dialog.tsx';

const TaskView = lazy(async () => ({ default: (await import('../task/task-view.tsx')).TaskView }));

const RatingList = lazy(async () => ({ default: (await import('./rating-list.tsx')).RatingList }));

type View = 'conversation' | 'subtasks' | 'ratings';

const viewClasses =
  'rounded-md px-2.5 py-1 text-sm text-soft hover:bg-hover hover:text-ink aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-ink';

/** The agent's name, and links to its views. */
function AgentBar({ agent, view, children }: { agent: Agent; view: View; children?: ReactNode }) {
  const text = useText();
  const [isEditing, setEditing] = useState(false);
  return (
    <header className="@container shrink-0 border-b border-line">
      <div className="flex min-h-16 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2">
        <Avatar name={agent.nickname} className="size-9" />
        <div className="min-w-0 flex-1 basis-24">
          <h1 tabIndex={-1} className="truncate font-semibold">
            {agent.nickname}
          </h1>
          <p className="truncate text-xs text-soft">{agent.about || text.agent.noAbout}</p>
        </div>
        <nav aria-label={text.agent.views} className="flex gap-1 @max-xl:order-last @max-xl:w-full">
          <Link
            to="/agent"
            activeOptions={{ exact: true, includeSearch: true }}
            className={viewClasses}
            aria-current={view === 'conversation' ? 'page' : undefined}
          >
            {text.agent.conversation}
          </Link>
          {(['subtasks', 'ratings'] as const).map((one) => (
            <Link
              key={one}
              to="/agent"
              search={{ view: one }}
              className={viewClasses}
              aria-current={view === one ? 'page' : undefined}
            >
              {text.agent[one]}
            </Link>
          ))}
        </nav>
        <IconButton label={text.agent.edit} icon={<Pencil aria-hidden />} onClick={() => setEditing(true)} />
        {children}
        {isEditing && <AgentDialog agent={agent} onClose={() => setEditing(false)} />}
      </div>
    </header>
  );
}

function Subtasks({ agent }: { agent: Agent }) {
  const text = useText();
  const empty = <EmptyState title={text.agent.noSubtasks}>{text.agent.noSubtasksBody}</EmptyState>;
  return (
    <Page>
      <TaskList search={{}} within={{ agent_id: agent.id }} header={null} emptyState={empty} />
    </Page>
  );
}

/** The always-on agent: the conversation with it, the subtasks it started, and what people think of its answers. */
export function AgentPage() {
  const text = useText();
  usePageTitle(text.agent.title);
  const address: Record<string, unknown> = useSearch({ strict: false });
  const asked = address['view'];
  const view: View = asked === 'subtasks' || asked === 'ratings' ? asked : 'conversation';
  // The conversation is read anew after each.
  const [clearings, setClearings] = useState(0);
  const {
    data: agent,
    error,
    refetch,
  } = useQuery({
    queryKey: keys.agents,
    queryFn: async ({ signal }) => (await errand.agent.detail({ agent_id: 'agent-default' }, { signal })).agent,
  });
  if (agent === undefined) {
    return <Page>{error ? <ErrorState error={error} onRetry={refetch} /> : <SkeletonList className="h-16" />}</Page>;
  }
  if (view !== 'conversation') {
    return (
      <>
        <AgentBar agent={agent} view={view} />
        <Suspense fallback={<SkeletonList className="h-16" />}>
          {view === 'subtasks' ? <Subtasks agent={agent} /> : <RatingList />}
        </Suspense>
      </>
    );
  }
  return (
    <Suspense fallback={<SkeletonList className="h-16" />}>
      <TaskView
        key={clearings}
        taskId={agent.task_id}
        emptyState={
          <EmptyState icon={<MessagesSquare aria-hidden />} title={text.agent.nothingSaid}>
            {text.agent.nothingSaidBody}
          </EmptyState>
        }
        renderHeader={(panel) => (
          <AgentBar agent={agent} view={view}>
            <ClearAgent agent={agent} onCleared={() => setClearings(clearings + 1)} />
            <IconButton
              label={panel.isOpen ? text.workbench.hide : text.workbench.show}
              aria-expanded={panel.isOpen}
              icon={<PanelRight aria-hidden />}
              onClick={panel.toggle}
            />
          </AgentBar>
        )}
      />
    </Suspense>
  );
}
