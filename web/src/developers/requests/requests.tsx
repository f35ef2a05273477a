import { ScrollText } from 'lucide-react';
import type { Response as Reply } from '@errand/client';
import { type SubmitEvent, useState } from 'react';
import { errand } from '../../api/errand.ts';
import { usePages } from '../../api/paging.ts';
import { keys } from '../../api/query-keys.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/locale.ts';
import { Button } from '../../ui/controls/button.tsx';
import { inputClasses } from '../../ui/controls/field.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Section } from '../../ui/display/card.tsx';
import { linkClasses } from '../../ui/display/link.tsx';
import { PagedTable } from '../../ui/display/paged-table.tsx';
import type { Column } from '../../ui/display/table.tsx';
import { Time } from '../../ui/display/time.tsx';
import { EmptyState } from '../../ui/feedback/state.tsx';
import { RequestDialog } from './request-dialog.tsx';
import { RequestStatus } from './request-status.tsx';
import { useCredentialName } from './use-credential-name.ts';

type ApiRequest = Reply<'request.list'>['data'][number];

const statusClasses = ['all', '2xx', '4xx', '5xx'] as const;
interface Filter {
  status: (typeof statusClasses)[number];
  path: string;
}
const refreshMs = 5_000;

function FilterBar({ filter, onChange }: { filter: Filter; onChange(filter: Filter): void }) {
  const { developers: text, instance } = useText();
  const [path, setPath] = useState(filter.path);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onChange({ ...filter, path: path.trim() });
  };
  return (
    <form role="search" onSubmit={submit} className="mb-4 flex flex-wrap items-center gap-2">
      <Select
        aria-label={text.status}
        value={filter.status}
        options={statusClasses.map((value) => ({ value, label: text.requests.statuses[value] }))}
        onValueChange={(status) => onChange({ ...filter, status })}
      />
      <input
        type="search"
        aria-label={text.requests.path}
        placeholder={text.requests.path}
        maxLength={200}
        value={path}
        onChange={(event) => setPath(event.target.value)}
        className={`${inputClasses} min-w-0 flex-1 basis-48`}
      />
      <Button type="submit">{instance.filter}</Button>
    </form>
  );
}

function useColumns(onOpen: (id: string) => void): Column<ApiRequest>[] {
  const { developers: text } = useText();
  const format = useFormat();
  const nameOf = useCredentialName();
  return [
    {
      key: 'request',
      title: text.request,
      render: ({ id, method, path }) => (
        <button type="button" className={`text-left font-mono wrap-anywhere ${linkClasses}`} onClick={() => onOpen(id)}>
          {method} {path}
        </button>
      ),
    },
    { key: 'status', title: text.status, kind: 'short', render: ({ status }) => <RequestStatus status={status} /> },
    {
      key: 'error',
      title: text.requests.error,
      render: ({ error_code: code, error_param: param }) => param ?? code,
    },
    { key: 'credential', title: text.requests.credential, render: ({ credential }) => nameOf(credential) },
    {
      key: 'duration',
      title: text.requests.duration,
      kind: 'number',
      render: ({ duration_ms: ms }) => format.milliseconds(ms),
    },
    { key: 'sent', title: text.requests.sent, kind: 'short', render: ({ created_at: at }) => <Time ms={at * 1000} /> },
  ];
}

/** The latest requests of the account's programs, newest first. */
export function Requests() {
  const { developers: text } = useText();
  const [filter, setFilter] = useState<Filter>({ status: 'all', path: '' });
  const [openId, setOpenId] = useState<string | null>(null);
  const { status, path } = filter;
  const isFiltered = status !== 'all' || path !== '';
  const pages = usePages<ApiRequest>(keys.requests(filter), {
    fetchPage: (cursor, signal) => {
      const asked = {
        ...(status !== 'all' && { status }),
        ...(path !== '' && { path }),
        ...(cursor !== undefined && { cursor }),
      };
      return errand.request.list({ limit: 30, ...asked }, { signal });
    },
    refetchInterval: refreshMs,
  });
  const columns = useColumns(setOpenId);
  return (
    <Section title={text.requests.title} lead={text.requests.lead}>
      <FilterBar filter={filter} onChange={setFilter} />
      <PagedTable
        pages={pages}
        caption={text.requests.title}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon={<ScrollText aria-hidden />} title={isFiltered ? text.requests.noneFound : text.requests.none}>
            {isFiltered ? text.requests.noneFoundBody : text.requests.noneBody}
          </EmptyState>
        }
      />
      {openId !== null && <RequestDialog requestId={openId} onClose={() => setOpenId(null)} />}
    </Section>
  );
}
