import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { errand } from '../../api/errand.ts';
import { type InstanceWorker, workersQuery } from '../../api/instance-queries.ts';
import { keys } from '../../api/query-keys.ts';
import { type Format, useFormat } from '../../text/format.ts';
import type { Texts } from '../../text/en.ts';
import { useText } from '../../text/locale.ts';
import { RowAction } from '../../ui/controls/row-action.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { Badge } from '../../ui/display/badge.tsx';
import { Section } from '../../ui/display/card.tsx';
import { linkClasses } from '../../ui/display/link.tsx';
import { type Column, Table } from '../../ui/display/table.tsx';
import { Time } from '../../ui/display/time.tsx';
import { ListState } from '../../ui/feedback/list-state.tsx';
import { EmptyState } from '../../ui/feedback/state.tsx';
import { showToast } from '../../ui/feedback/toast.tsx';
import { useAction } from '../../ui/feedback/use-action.ts';

function stateOf({ status, tasks }: InstanceWorker): 'active' | 'draining' | 'drained' {
  if (status === 'active') return 'active';
  return tasks === 0 ? 'drained' : 'draining';
}

/** What people call a worker: its machine, and the end of its id where several are on one. */
export function nameWorker({ id, host }: Pick<InstanceWorker, 'id' | 'host'>): string {
  return host === null ? id : `${host} · ${id.slice(-6)}`;
}

function listColumns({ instance }: Texts, format: Format): Column<InstanceWorker>[] {
  const tones = { active: 'good', draining: 'warn', drained: 'plain' } as const;
  return [
    { key: 'worker', title: instance.worker, render: (worker) => nameWorker(worker) },
    {
      key: 'state',
      title: instance.status,
      render: (worker) => <Badge tone={tones[stateOf(worker)]}>{instance.workerState[stateOf(worker)]}</Badge>,
    },
    {
      key: 'tasks',
      title: instance.held,
      kind: 'number',
      render: ({ id, tasks, concurrency }) => (
        <Link to="/instance/tasks" search={{ worker: id }} className={linkClasses}>
          {concurrency === null ? format.number(tasks) : instance.heldOf(format.number(tasks), format.number(concurrency))}
        </Link>
      ),
    },
    {
      key: 'disk',
      title: instance.disk,
      kind: 'number',
      render: ({ disk }) => disk && instance.ofDisk(format.bytes(disk.free_bytes), format.bytes(disk.total_bytes)),
    },
    {
      key: 'sandbox',
      title: instance.sandbox,
      render: ({ sandbox }) =>
        sandbox && <span title={sandbox.detail}>{sandbox.available ? instance.sandboxReady : instance.sandboxMissing}</span>,
    },
    {
      key: 'started',
      title: instance.started,
      kind: 'short',
      render: ({ started_at: at }) => at !== null && <Time ms={at * 1000} />,
    },
  ];
}

/** The workers that run and what they hold; each can be drained. */
export function Workers() {
  const text = useText();
  const { instance } = text;
  const format = useFormat();
  const list = useQuery(workersQuery);
  const [drained, setDrained] = useState<string | null>(null);
  const changes = [keys.instanceWorkers];
  const drain = useAction((worker_id: string) => errand.instance.drainWorker({ worker_id }), {
    changes,
    isQuiet: true,
    onDone: () => showToast(instance.draining),
  });
  const resume = useAction((worker_id: string) => errand.instance.undrainWorker({ worker_id }), {
    changes,
    onDone: () => showToast(instance.resumed),
  });
  const action: Column<InstanceWorker> = {
    key: 'action',
    title: instance.actions,
    kind: 'action',
    render: (worker) =>
      worker.status === 'active' ? (
        worker.host !== null && (
          <RowAction label={instance.drain} name={nameWorker(worker)} onClick={() => setDrained(worker.id)} />
        )
      ) : (
        <RowAction
          label={instance.undrain}
          name={nameWorker(worker)}
          isBusy={resume.isPending && resume.variables === worker.id}
          onClick={() => resume.mutate(worker.id)}
        />
      ),
  };
  return (
    <Section title={instance.workers} lead={instance.workersLead}>
      <ListState list={list}>
        <EmptyState title={instance.noWorkers}>{instance.noWorkersBody}</EmptyState>
      </ListState>
      {list.data !== undefined && list.data.length > 0 && (
        <Table
          caption={instance.workers}
          columns={[...listColumns(text, format), action]}
          rows={list.data}
          keyOf={({ id }) => id}
        />
      )}
      <ConfirmDialog
        isOpen={drained !== null}
        onClose={() => setDrained(null)}
        title={instance.drainTitle}
        confirmLabel={instance.drain}
        onConfirm={async () => drained !== null && drain.mutateAsync(drained)}
      >
        {instance.drainBody}
      </ConfirmDialog>
    </Section>
  );
}
