import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { errand } from '../../api/errand.ts';
import type { ListedAccount } from '../../api/instance-queries.ts';
import { usePages } from '../../api/paging.ts';
import { keys } from '../../api/query-keys.ts';
import { type Format, useFormat } from '../../text/format.ts';
import type { Texts } from '../../text/en.ts';
import { useText } from '../../text/locale.ts';
import { Button } from '../../ui/controls/button.tsx';
import { inputClasses } from '../../ui/controls/field.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Badge } from '../../ui/display/badge.tsx';
import { Section } from '../../ui/display/card.tsx';
import { linkClasses } from '../../ui/display/link.tsx';
import type { Column } from '../../ui/display/table.tsx';
import { Time } from '../../ui/display/time.tsx';
import { EmptyState } from '../../ui/feedback/state.tsx';
import { PagedTable } from '../../ui/display/paged-table.tsx';
import { accountStatuses, type AccountsSearch, readAccountsSearch } from './accounts-search.ts';

const tones = { active: 'good', disabled: 'warn', deleting: 'bad' } as const;

function listColumns({ instance, settings, twoStep }: Texts, format: Format): Column<ListedAccount>[] {
  return [
    {
      key: 'email',
      title: instance.account,
      render: ({ id, email, instance_owner: isOwner, has_two_step: hasTwoStep }) => (
        <span className="flex flex-wrap items-center gap-2">
          <Link to="/instance/accounts/$accountId" params={{ accountId: id }} className={linkClasses}>
            {email}
          </Link>
          {isOwner && <Badge>{instance.owner}</Badge>}
          {hasTwoStep && <Badge tone="good">{twoStep.title}</Badge>}
        </span>
      ),
    },
    {
      key: 'status',
      title: instance.status,
      render: ({ status }) => <Badge tone={tones[status]}>{instance.accountStatus[status]}</Badge>,
    },
    { key: 'plan', title: instance.plan, render: ({ plan }) => settings.plans[plan] },
    {
      key: 'storage',
      title: instance.storage,
      kind: 'number',
      render: ({ storage }) => instance.used(format.bytes(storage.bytes), format.bytes(storage.max_bytes)),
    },
    { key: 'files', title: instance.files, kind: 'number', render: ({ storage }) => format.number(storage.files) },
    { key: 'created', title: instance.created, kind: 'short', render: ({ created_at: at }) => <Time ms={at * 1000} /> },
  ];
}

function AccountFilter({ search, onChange }: { search: AccountsSearch; onChange(search: AccountsSearch): void }) {
  const { instance } = useText();
  const [query, setQuery] = useState(search.q ?? '');
  const find = (status: AccountsSearch['status']) => {
    const q = query.trim();
    onChange({ ...(q !== '' && { q }), ...(status && { status }) });
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    find(search.status);
  };
  return (
    <form role="search" onSubmit={submit} className="mb-4 flex flex-wrap items-center gap-2">
      <Select
        aria-label={instance.status}
        value={search.status ?? ''}
        options={[
          { value: '', label: instance.anyAccountStatus },
          ...accountStatuses.map((value) => ({ value, label: instance.accountStatus[value] })),
        ]}
        onValueChange={(value) => find(value === '' ? undefined : value)}
      />
      <input
        type="search"
        aria-label={instance.search}
        placeholder={instance.search}
        maxLength={200}
        value={query}
        onChange={(event) => setQuery(event.target.value)}
        className={`${inputClasses} min-w-0 flex-1 basis-48`}
      />
      <Button type="submit">{instance.filter}</Button>
    </form>
  );
}

/** Every account of the instance, with what it stores. */
export function Accounts() {
  const text = useText();
  const { instance } = text;
  const format = useFormat();
  const navigate = useNavigate();
  const search = readAccountsSearch(useSearch({ strict: false }));
  const { q, status } = search;
  const pages = usePages<ListedAccount>([...keys.instanceAccounts, 'list', search], {
    fetchPage: (cursor, signal) => {
      const filter = { ...(q !== undefined && { query: q }), ...(status && { status }) };
      return errand.instance.listAccounts({ limit: 30, ...filter, ...(cursor !== undefined && { cursor }) }, { signal });
    },
  });
  return (
    <Section title={instance.accounts} lead={instance.accountsLead}>
      <AccountFilter
        key={q ?? ''}
        search={search}
        onChange={(chosen) => void navigate({ to: '/instance/accounts', search: chosen, replace: true })}
      />
      <PagedTable
        pages={pages}
        caption={instance.accounts}
        columns={listColumns(text, format)}
        keyOf={({ id }) => id}
        empty={<EmptyState title={instance.noAccounts} />}
      />
    </Section>
  );
}
