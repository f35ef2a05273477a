import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { useState } from 'react';
import { isNotFound } from '../api/errand.ts';
import { keys } from '../api/query-keys.ts';
import { useSession } from '../api/session.ts';
import { appQuery } from '../api/settings-queries.ts';
import { useAction } from '../ui/feedback/use-action.ts';
import { callWeb, type WebResponse } from '../api/web-call.ts';
import { useText } from '../text/locale.ts';
import { BackLink } from '../ui/display/back-link.tsx';
import { Badge } from '../ui/display/badge.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Card, Section } from '../ui/display/card.tsx';
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx';
import { CopyButton } from '../ui/feedback/copy-button.tsx';
import { SkeletonList } from '../ui/display/skeleton.tsx';
import { EmptyState, ErrorState } from '../ui/feedback/state.tsx';
import { showToast } from '../ui/feedback/toast.tsx';
import { type AppChoice, AppForm } from './app-form.tsx';
import { AppSecrets } from './app-secrets.tsx';

type App = WebResponse<'app.show'>['app'];

function AppHead({ app }: { app: App }) {
  const { developers: text } = useText();
  const trust = { team: null, trusted_team: text.trusted, trusted_public: text.trustedPublic }[app.type];
  return (
    <header className="mb-8">
      <BackLink to="/developers/apps">{text.apps}</BackLink>
      <h2 className="text-lg font-semibold wrap-anywhere">
        {app.name} {trust !== null && <Badge tone="warn">{trust}</Badge>}
      </h2>
      <p className="mt-1 flex flex-wrap items-center gap-x-2 text-sm text-soft">
        {text.clientId} <code className="font-mono text-ink">{app.client_id}</code>
        <CopyButton text={app.client_id} />
      </p>
    </header>
  );
}

/** The settings of the app. Trust is only sent by users who may grant it. */
function AppSettings({ app }: { app: App }) {
  const { developers: text, ui } = useText();
  const role = useSession().data?.team?.role;
  const mayTrust = role !== undefined && role !== 'member' && app.type !== 'trusted_public' && !app.public_client;
  const save = useAction(
    ({ name, homepage, redirect_uris, scopes, isTrusted }: AppChoice) => {
      const trusted = isTrusted ? ('team' as const) : ('no' as const);
      const said = { name, homepage, redirect_uris, scopes, ...(mayTrust && { trusted }) };
      return callWeb('app.update', { client_id: app.client_id, ...said });
    },
    { changes: [keys.apps], isQuiet: true, onDone: () => showToast(text.appSaved) },
  );
  return (
    <Section title={text.appSettings} lead={text.appSettingsLead}>
      <Card>
        <AppForm
          app={app}
          submitLabel={ui.save}
          isBusy={save.isPending}
          error={save.error}
          onSubmit={(choice) => save.mutate(choice)}
        />
      </Card>
    </Section>
  );
}

function DeleteApp({ app }: { app: App }) {
  const { developers: text } = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  const remove = useAction(() => callWeb('app.delete', { client_id: app.client_id }), {
    isQuiet: true,
    onDone: () => {
      showToast(text.appDeleted(app.name));
      // Only after leaving: here it would be missing.
      void navigate({ to: '/developers/apps' }).then(() => client.invalidateQueries({ queryKey: keys.apps }));
    },
  });
  return (
    <Section title={text.deleteApp} lead={text.deleteAppBody}>
      <Button look="danger" onClick={() => setAsked(true)}>
        {text.deleteApp}
      </Button>
      <ConfirmDialog
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        title={text.deleteAppTitle(app.name)}
        confirmLabel={text.deleteApp}
        isDangerous
        onConfirm={() => remove.mutateAsync(undefined)}
      >
        {text.deleteAppBody}
      </ConfirmDialog>
    </Section>
  );
}

/** One app of the account: its secrets, settings, and deletion. */
export function AppPage({ clientId }: { clientId: string }) {
  const text = useText();
  const app = useQuery(appQuery(clientId));
  if (isNotFound(app.error))
    return (
      <EmptyState icon={<SearchX aria-hidden />} title={text.app.notFoundTitle}>
        {text.app.notFoundBody}
      </EmptyState>
    );
  if (app.error) return <ErrorState error={app.error} onRetry={app.refetch} />;
  if (app.isPending) return <SkeletonList />;
  return (
    <>
      <AppHead app={app.data.app} />
      <AppSecrets app={app.data.app} secrets={app.data.secrets} />
      <AppSettings key={JSON.stringify(app.data.app)} app={app.data.app} />
      <DeleteApp app={app.data.app} />
    </>
  );
}
