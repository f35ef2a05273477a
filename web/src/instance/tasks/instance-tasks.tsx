import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { errand } from '../../api/errand.ts';
import { instanceRefreshMs, type InstanceTask, workersQuery } from '../../api/instance-queries.ts';
import { usePages } from '../../api/paging.ts';
import { keys } from '../../api/query-keys.ts';
import { type Format, useFormat } from '../../text/format.ts';
import { useText } from '../../text/locale.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Section } from '../../ui/display/card.tsx';
import { joinClasses } from '../../ui/display/class-names.ts';
import { linkClasses } from '../../ui/display/link.tsx';
import type { Column } from '../../ui/display/table.tsx';
import { TaskStatusBadge } from '../../ui/display/task-status.tsx';
import { useNow } from '../../ui/display/time.tsx';
import { EmptyState } from '../../ui/feedback/state.tsx';
import { PagedTable } from '../../ui/display/paged-table.tsx';
import { explainTask, type HoldContext } from './hold-text.ts';
import { TaskFilterBar } from './task-filter-bar.tsx';
import { ages, readTasksSearch, type TasksSearch } from './tasks-search.ts';

function requestOf({ status, age, worker, account }: TasksSearch) {
  return {
    ...(status && { status }),
    ...(age && { min_age_seconds: ages[age] }),
    ...(worker !== undefined && { worker_id: worker }),
    ...(account !== undefined && { account_id: account }),
  };
}

function listColumns(context: HoldContext, format: Format): Column<InstanceTask>[] {
  const { instance } = context.text;
  return [
    { key: 'task', title: instance.task, kind: 'short', render: ({ id }) => <span className="font-mono text-xs">{id}</span> },
    { key: 'status', title: instance.status, render: (task) => <TaskStatusBadge task={task} /> },
    {
      key: 'account',
      title: instance.account,
      render: ({ account_id: accountId, email }) => (
        <Link
          to="/instance/accounts/$accountId"
          params={{ accountId }}
          className={joinClasses('inline-block @2xl:min-w-48', linkClasses)}
        >
          {email}
        </Link>
      ),
    },
    {
      key: 'why',
      title: instance.why,
      render: (task) => explainTask(task, context).join(' '),
    },
    {
      key: 'age',
      title: instance.age,
      kind: 'number',
      render: ({ age_seconds: age }) => format.duration(age * 1000),
    },
  ];
}

/** The tasks of all accounts, and why each is where it is. */
export function InstanceTasks() {
  const text = useText();
  const { instance } = text;
  const format = useFormat();
  const nowMs = useNow();
  const navigate = useNavigate();
  const search = readTasksSearch(useSearch({ strict: false }));
  const workers = useQuery(workersQuery);
  const pages = usePages<InstanceTask>([...keys.instance, 'tasks', search], {
    fetchPage: (cursor, signal) =>
      errand.instance.listTasks({ limit: 30, ...requestOf(search), ...(cursor !== undefined && { cursor }) }, { signal }),
    refetchInterval: instanceRefreshMs,
  });
  const hostOf = (id: string) => workers.data?.find((worker) => worker.id === id)?.host ?? null;
  const change = (chosen: TasksSearch) => void navigate({ to: '/instance/tasks', search: chosen, replace: true });
  const isFiltered = Object.keys(search).length > 0;
  return (
    <Section title={instance.tasks} lead={instance.tasksLead}>
      <TaskFilterBar key={search.account ?? ''} search={search} onChange={change} />
      <PagedTable
        pages={pages}
        caption={instance.tasks}
        columns={listColumns({ text, format, nowMs, hostOf }, format)}
        keyOf={({ id }) => id}
        empty={
          <EmptyState
            title={instance.noTasks}
            {...(isFiltered && { action: <Button onClick={() => change({})}>{instance.clearFilter}</Button> })}
          >
            {instance.noTasksBody}
          </EmptyState>
        }
      />
    </Section>
  );
}
