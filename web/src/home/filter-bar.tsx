import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { projectsQuery } from '../api/account-facts.ts';
import { useSession } from '../api/session.ts';
import { apiKeysQuery, connectionsQuery } from '../api/settings-queries.ts';
import { type ListSearch, taskStatuses } from '../task-list/task-filter.ts';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { Select, type SelectOption } from '../ui/controls/select.tsx';

export interface FilterBarProps {
  search: ListSearch;
  onChange(search: ListSearch): void;
}

/** Value of the filter for archived tasks; not a status, but chosen like one. */
const archived = 'archived' as const;
/** The same for tasks of teammates. */
const assigned = 'assigned' as const;

/** The URL is not updated on every keystroke. */
const debounceMs = 200;

function SearchField({ search, onChange }: FilterBarProps) {
  const { home } = useText();
  const applied = search.q ?? '';
  const [text, setText] = useState(applied);
  const own = useRef(applied);
  // What others put into the URL, such as the button that clears it, replaces what was typed.
  useEffect(() => {
    if (applied !== own.current) setText(applied);
    own.current = applied;
  }, [applied]);
  useEffect(() => {
    if (text === applied) return undefined;
    const { q: _, ...others } = search;
    const timer = setTimeout(() => {
      own.current = text;
      onChange(text === '' ? others : { ...others, q: text });
    }, debounceMs);
    return () => clearTimeout(timer);
  }, [text, applied, search, onChange]);
  return (
    <div className="relative min-w-0 max-sm:w-full sm:flex-1 sm:basis-44">
      <Search aria-hidden className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-soft" />
      <input
        type="search"
        aria-label={home.search}
        placeholder={home.search}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="min-h-8 w-full rounded-md border border-edge bg-card py-1 pr-2 pl-8.5 text-sm pointer-coarse:min-h-10"
      />
    </div>
  );
}

/** Names in a filter may lag behind. */
const staleTime = 60_000;

/** Possible creators of a task: keys of the account and connected applications. */
function useOrigins() {
  const apiKeys = useQuery({ ...apiKeysQuery, staleTime }).data ?? [];
  const apps = useQuery({ ...connectionsQuery, staleTime }).data ?? [];
  return [
    ...apiKeys.map(({ id, name }) => ({ value: `key:${id}`, label: name })),
    ...apps.map((app) => ({ value: `app:${app.client_id}`, label: app.name })),
  ];
}

/** Parts of the filter; an empty text takes one away. */
type Facts = { [Name in keyof ListSearch]: ListSearch[Name] | '' };

type Kind = NonNullable<ListSearch['status']> | typeof archived | typeof assigned | '';

/** Chooses a status, or what is not in the list: archived tasks, and those of teammates. */
function StatusSelect({ search, onChange, set }: FilterBarProps & { set(facts: Facts): void }) {
  const { home, taskList, ui } = useText();
  const hasTeam = (useSession().data?.teams.length ?? 0) > 0;
  const chosen: Kind = search.archived ? archived : (search.status ?? '');
  const options: SelectOption<Kind>[] = [
    { value: '', label: home.anyStatus },
    ...taskStatuses.map((value) => ({ value, label: ui.taskStatus[value] })),
    { value: archived, label: taskList.archived },
    ...(hasTeam || search.assigned ? [{ value: assigned, label: taskList.assignedToYou }] : []),
  ];
  const choose = (value: Kind) => {
    if (value === assigned) onChange({ assigned: true });
    else if (value === archived) set({ status: '', archived: true });
    else set({ status: value, archived: '' });
  };
  return (
    <Select
      isQuiet
      aria-label={home.status}
      value={search.assigned ? assigned : chosen}
      options={options}
      onValueChange={choose}
    />
  );
}

/** Filters the list by title, status, project, and creator. */
export function FilterBar({ search, onChange }: FilterBarProps) {
  const { home } = useText();
  const projects = useQuery(projectsQuery).data ?? [];
  const origins = useOrigins();
  const set = (facts: Facts) => {
    const entries = Object.entries({ ...search, assigned: '', ...facts }).filter(([, value]) => value !== '');
    onChange(Object.fromEntries(entries));
  };
  // Words are looked for in own tasks.
  const seek = useCallback(
    (given: ListSearch) => {
      const next = { ...given };
      delete next.assigned;
      onChange(next);
    },
    [onChange],
  );
  return (
    <div className="flex items-center gap-1.5 max-sm:flex-col max-sm:items-stretch">
      <SearchField search={search} onChange={seek} />
      <div className="flex items-center gap-1.5 max-sm:-mx-4 max-sm:overflow-x-auto max-sm:px-1.5 max-sm:py-1 max-sm:*:shrink-0">
        <StatusSelect search={search} onChange={onChange} set={set} />
        {projects.length > 0 && (
          <Select
            isQuiet
            aria-label={home.project}
            className="max-w-40"
            value={search.project ?? ''}
            options={[{ value: '', label: home.anyProject }, ...projects.map(({ id, name }) => ({ value: id, label: name }))]}
            onValueChange={(project) => set({ project })}
          />
        )}
        {origins.length > 0 && (
          <Select
            isQuiet
            aria-label={home.origin}
            className="max-w-40"
            value={search.from ?? ''}
            options={[{ value: '', label: home.anyOrigin }, ...origins]}
            onValueChange={(from) => set({ from })}
          />
        )}
        {Object.keys(search).length > 0 && (
          <Button size="small" look="quiet" onClick={() => onChange({})}>
            {home.clear}
          </Button>
        )}
      </div>
    </div>
  );
}
