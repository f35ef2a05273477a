import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { keys } from '../api/query-keys.ts';
import { apiKeysQuery } from '../api/settings-queries.ts';
import { useAction } from '../ui/feedback/use-action.ts';
import { callWeb, type WebResponse } from '../api/web-call.ts';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/locale.ts';
import { RemovalDialog } from '../ui/dialogs/removal-dialog.tsx';
import { SecretDialog, type ShownSecret } from '../ui/dialogs/secret-dialog.tsx';
import { RowAction } from '../ui/controls/row-action.tsx';
import { EmptyState } from '../ui/feedback/state.tsx';
import { Table } from '../ui/display/table.tsx';
import { Time, useNow } from '../ui/display/time.tsx';
import { KeyForm, type KeyRequest } from './key-form.tsx';
import { ListState } from '../ui/feedback/list-state.tsx';
import { useRemoval } from '../ui/dialogs/use-removal.ts';

type ApiKey = WebResponse<'key.list'>['data'][number];

/** When a key ends, or that it has. */
function Expiry({ at }: { at: number | null }) {
  const { developers: text } = useText();
  const format = useFormat();
  const now = useNow();
  if (at === null) return text.never;
  const date = format.date(at * 1000);
  return at * 1000 <= now ? <span className="text-bad">{text.expired(date)}</span> : date;
}

function KeyTable({ apiKeys, onRevoke }: { apiKeys: readonly ApiKey[]; onRevoke(key: ApiKey): void }) {
  const { developers: text } = useText();
  const columns = [
    { key: 'name', title: text.name, render: (key: ApiKey) => <span className="font-medium">{key.name}</span> },
    { key: 'key', title: text.key, render: (key: ApiKey) => <code className="font-mono">…{key.tail}</code> },
    { key: 'access', title: text.access, render: (key: ApiKey) => text.keyScopes[key.scope] },
    { key: 'created', title: text.created, kind: 'short' as const, render: (key: ApiKey) => <Time ms={key.created_at * 1000} /> },
    {
      key: 'used',
      title: text.lastUsed,
      kind: 'short' as const,
      render: (key: ApiKey) => (key.last_used_at === null ? text.never : <Time ms={key.last_used_at * 1000} />),
    },
    { key: 'expires', title: text.expires, kind: 'short' as const, render: (key: ApiKey) => <Expiry at={key.expires_at} /> },
    {
      key: 'actions',
      title: text.actions,
      kind: 'action' as const,
      render: (key: ApiKey) => <RowAction label={text.revoke} name={key.name} onClick={() => onRevoke(key)} />,
    },
  ];
  return <Table caption={text.keys} columns={columns} rows={apiKeys} keyOf={({ id }) => id} />;
}

/** Creates, shows once, and revokes API keys of the account. */
export function ApiKeys() {
  const { developers: text } = useText();
  const list = useQuery(apiKeysQuery);
  const [shown, setShown] = useState<ShownSecret | null>(null);
  const create = useAction((request: KeyRequest) => callWeb('key.create', request), {
    changes: [keys.apiKeys],
    isQuiet: true,
    onDone: ({ api_key: secret, key }) => setShown({ title: text.keyMade(key.name), lead: text.shownOnce, secret }),
  });
  const revocation = useRemoval(({ id }: ApiKey) => callWeb('key.revoke', { key_id: id }), {
    changes: [keys.apiKeys],
    describeDone: () => text.keyRevoked,
  });
  return (
    <>
      <p className="mb-4 text-soft">{text.keysLead}</p>
      <KeyForm isBusy={create.isPending} error={create.error} onSubmit={create.mutateAsync} />
      <ListState list={list}>
        <EmptyState icon={<KeyRound aria-hidden />} title={text.noKeys}>
          {text.noKeysBody}
        </EmptyState>
      </ListState>
      {list.data !== undefined && list.data.length > 0 && <KeyTable apiKeys={list.data} onRevoke={revocation.ask} />}
      <SecretDialog shown={shown} onClose={() => setShown(null)} />
      <RemovalDialog removal={revocation} titleOf={({ name }) => text.revokeKeyTitle(name)} confirmLabel={text.revoke}>
        {text.revokeKeyBody}
      </RemovalDialog>
    </>
  );
}
