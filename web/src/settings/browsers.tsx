import { useQuery } from '@tanstack/react-query';
import { keys } from '../api/query-keys.ts';
import { signOut } from '../api/session.ts';
import { sessionsQuery } from '../api/settings-queries.ts';
import { useAction } from '../ui/feedback/use-action.ts';
import { callWeb } from '../api/web-call.ts';
import { useText } from '../text/locale.ts';
import { Badge } from '../ui/display/badge.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Section } from '../ui/display/card.tsx';
import { SkeletonList } from '../ui/display/skeleton.tsx';
import { ErrorState } from '../ui/feedback/state.tsx';
import { Time } from '../ui/display/time.tsx';
import { showToast } from '../ui/feedback/toast.tsx';

/** The sessions of the account, and how to end them. */
export function Browsers() {
  const { settings } = useText();
  const sessions = useQuery(sessionsQuery);
  const end = useAction((sessionId: string) => callWeb('session.delete', { session_id: sessionId }), {
    changes: [keys.sessions],
    onDone: () => showToast(settings.signedOut),
  });
  const endOthers = useAction(() => callWeb('session.delete', { others: true }), {
    changes: [keys.sessions],
    onDone: () => showToast(settings.signedOutOthers),
  });
  const all = sessions.data ?? [];
  const signOutOthers = all.length > 1 && (
    <Button size="small" isBusy={endOthers.isPending} onClick={() => endOthers.mutate(undefined)}>
      {settings.signOutOthers}
    </Button>
  );
  return (
    <Section title={settings.browsers} lead={settings.browsersLead} actions={signOutOthers}>
      {sessions.error && <ErrorState error={sessions.error} onRetry={sessions.refetch} />}
      {sessions.isPending && <SkeletonList rows={2} />}
      {all.length > 0 && (
        <div className="rounded-lg border border-line bg-card">
          <ul className="divide-y divide-line">
            {all.map(({ id, browser, address, network, created_at: createdAt, last_used_at: usedAt, is_current: isCurrent }) => (
              <li key={id} className="flex items-center justify-between gap-4 px-5 py-3">
                <div className="min-w-0 text-sm">
                  {browser ?? settings.otherBrowser} {isCurrent && <Badge tone="good">{settings.thisBrowser}</Badge>}
                  <p className="mt-0.5 text-soft">
                    {settings.since} <Time ms={createdAt * 1000} />
                    {usedAt !== null && (
                      <>
                        {' · '}
                        {settings.lastUsed} <Time ms={usedAt * 1000} />
                      </>
                    )}
                  </p>
                  {address !== null && (
                    <p className="mt-0.5 text-soft wrap-anywhere">
                      {address}
                      {(network === 'local' || network === 'private') && ` (${settings.networks[network]})`}
                    </p>
                  )}
                </div>
                <Button size="small" look="quiet" onClick={() => (isCurrent ? void signOut() : end.mutate(id))}>
                  {settings.signOut}
                </Button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Section>
  );
}
