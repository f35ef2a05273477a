import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { workersQuery } from '../../api/instance-queries.ts';
import { taskStatuses } from '../../task-list/task-filter.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/locale.ts';
import { Button } from '../../ui/controls/button.tsx';
import { inputClasses } from '../../ui/controls/field.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { nameWorker } from '../overview/workers.tsx';
import { type Age, ages, type TasksSearch } from './tasks-search.ts';

interface TaskFilterBarProps {
  search: TasksSearch;
  onChange(search: TasksSearch): void;
}

/** Value of a filter without a choice. */
const any = '';

function useAgeOptions() {
  const { instance } = useText();
  const format = useFormat();
  const names: Record<Age, string> = {
    '10m': format.count(10, 'minute'),
    '1h': format.count(1, 'hour'),
    '1d': format.count(1, 'day'),
    '7d': format.count(7, 'day'),
  };
  const options = (Object.keys(ages) as Age[]).map((value) => ({ value, label: instance.olderThan(names[value]) }));
  return [{ value: any, label: instance.anyAge } as const, ...options];
}

/** The workers that run, and a chosen one that does not any more. */
function useWorkerOptions(chosen: string | undefined) {
  const { instance } = useText();
  const workers = useQuery(workersQuery);
  const known = (workers.data ?? []).map((worker) => ({ value: worker.id, label: nameWorker(worker) }));
  const isGone = chosen !== undefined && known.every(({ value }) => value !== chosen);
  return [{ value: any, label: instance.anyWorker }, ...known, ...(isGone ? [{ value: chosen, label: chosen }] : [])];
}

/** Filters the tasks of all accounts by state, age, worker, and account. */
export function TaskFilterBar({ search, onChange }: TaskFilterBarProps) {
  const { instance, ui } = useText();
  const [account, setAccount] = useState(search.account ?? '');
  const set = (part: { [Name in keyof TasksSearch]: TasksSearch[Name] | '' }) => {
    onChange(Object.fromEntries(Object.entries({ ...search, ...part }).filter(([, value]) => value !== any)));
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    set({ account: account.trim() });
  };
  const statuses = taskStatuses.map((value) => ({ value, label: ui.taskStatus[value] }));
  return (
    <form role="search" onSubmit={submit} className="mb-4 flex flex-wrap items-center gap-2">
      <Select
        aria-label={instance.status}
        value={search.status ?? any}
        options={[{ value: any, label: instance.anyStatus } as const, ...statuses]}
        onValueChange={(status) => set({ status })}
      />
      <Select
        aria-label={instance.age}
        value={search.age ?? any}
        options={useAgeOptions()}
        onValueChange={(age) => set({ age })}
      />
      <Select
        aria-label={instance.worker}
        value={search.worker ?? any}
        options={useWorkerOptions(search.worker)}
        onValueChange={(worker) => set({ worker })}
      />
      <input
        type="search"
        aria-label={instance.accountField}
        placeholder={instance.accountField}
        value={account}
        onChange={(event) => setAccount(event.target.value)}
        className={`${inputClasses} min-w-0 flex-1 basis-48`}
      />
      <Button type="submit">{instance.filter}</Button>
    </form>
  );
}
