import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { AppWindow } from 'lucide-react';
import { useState } from 'react';
import { keys } from '../api/query-keys.ts';
import { appsQuery } from '../api/settings-queries.ts';
import { useAction } from '../ui/feedback/use-action.ts';
import { callWeb, type WebRequest, type WebResponse } from '../api/web-call.ts';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { linkClasses } from '../ui/display/link.tsx';
import { SecretDialog, type ShownSecret } from '../ui/dialogs/secret-dialog.tsx';
import { EmptyState } from '../ui/feedback/state.tsx';
import { type Column, Table } from '../ui/display/table.tsx';
import { showToast } from '../ui/feedback/toast.tsx';
import { AppForm } from './app-form.tsx';
import { ListState } from '../ui/feedback/list-state.tsx';

type App = WebResponse<'app.list'>['data'][number];

function AppTable({ apps }: { apps: readonly App[] }) {
  const { developers: text } = useText();
  const columns: Column<App>[] = [
    {
      key: 'name',
      title: text.name,
      render: (app) => (
        <Link to="/developers/apps/$clientId" params={{ clientId: app.client_id }} className={linkClasses}>
          {app.name}
        </Link>
      ),
    },
    { key: 'id', title: text.clientId, kind: 'short', render: (app) => <code className="font-mono">{app.client_id}</code> },
    { key: 'scopes', title: text.scopes, render: (app) => app.scopes.join(', ') },
  ];
  return <Table caption={text.apps} columns={columns} rows={apps} keyOf={({ client_id: id }) => id} />;
}

/** Apps registered by the account. */
export function Apps() {
  const { developers: text } = useText();
  const list = useQuery(appsQuery);
  const [isMaking, setMaking] = useState(false);
  const [shown, setShown] = useState<ShownSecret | null>(null);
  const create = useAction((input: WebRequest<'app.create'>) => callWeb('app.create', input), {
    changes: [keys.apps],
    isQuiet: true,
    onDone: ({ app, client_secret: secret }) => {
      setMaking(false);
      const title = text.appMade(app.name);
      const facts = [{ name: text.clientId, value: app.client_id }];
      if (secret === undefined) showToast(title);
      else setShown({ title, lead: text.shownOnce, secret, facts });
    },
  });
  return (
    <>
      <div className="mb-6 flex flex-wrap items-center justify-between gap-3">
        <p className="text-soft">{text.appsLead}</p>
        <Button look="primary" onClick={() => setMaking(true)}>
          {text.newApp}
        </Button>
      </div>
      <ListState list={list}>
        <EmptyState icon={<AppWindow aria-hidden />} title={text.noApps}>
          {text.noAppsBody}
        </EmptyState>
      </ListState>
      {list.data !== undefined && list.data.length > 0 && <AppTable apps={list.data} />}
      <Dialog isOpen={isMaking} onClose={() => setMaking(false)} title={text.newApp} guardsInput>
        <AppForm
          submitLabel={text.registerApp}
          isBusy={create.isPending}
          error={create.error}
          onSubmit={({ isPublic, isTrusted, ...fields }) =>
            create.mutate({ ...fields, public_client: isPublic, ...(isTrusted && { trusted: 'team' as const }) })
          }
        />
      </Dialog>
      <SecretDialog shown={shown} onClose={() => setShown(null)} />
    </>
  );
}
