import { useQuery } from '@tanstack/react-query';
import { keys } from '../api/query-keys.ts';
import { identitiesQuery } from '../api/settings-queries.ts';
import { callWeb } from '../api/web-call.ts';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { Section } from '../ui/display/card.tsx';
import { RemovalDialog } from '../ui/dialogs/removal-dialog.tsx';
import { useRemoval } from '../ui/dialogs/use-removal.ts';
import { linkClasses } from '../ui/display/link.tsx';
import { Time } from '../ui/display/time.tsx';

/** The identities that can sign in to the account; nothing without a provider. */
export function ProviderSignIn() {
  const { settings } = useText();
  const { data } = useQuery(identitiesQuery);
  const unlinking = useRemoval((issuer: string) => callWeb('identity.unlink', { issuer }), {
    changes: [keys.identities],
    describeDone: () => settings.identityUnlinked,
  });
  if (!data || (data.provider === null && data.data.length === 0)) return null;
  const { provider, data: identities } = data;
  const nameOf = (issuer: string) => (issuer === provider?.issuer ? provider.name : new URL(issuer).host);
  const isLinked = identities.some(({ issuer }) => issuer === provider?.issuer);
  return (
    <Section title={settings.identities} lead={settings.identitiesLead}>
      <div className="rounded-lg border border-line bg-card">
        <ul className="divide-y divide-line">
          {identities.map(({ issuer, email, subject, last_used_at: usedAt, created_at: createdAt }) => (
            <li key={issuer} className="flex items-center justify-between gap-4 px-5 py-3">
              <div className="min-w-0 text-sm">
                {settings.signedInThrough(nameOf(issuer))}
                <p className="mt-0.5 text-soft wrap-anywhere">
                  {email ?? subject} · {settings.lastUsed} <Time ms={(usedAt ?? createdAt) * 1000} />
                </p>
              </div>
              {data.has_password && (
                <Button
                  size="small"
                  look="quiet"
                  aria-label={`${settings.unlink}: ${nameOf(issuer)}`}
                  onClick={() => unlinking.ask(issuer)}
                >
                  {settings.unlink}
                </Button>
              )}
            </li>
          ))}
          {provider !== null && !isLinked && (
            <li className="px-5 py-3 text-sm">
              <a className={linkClasses} href="/sign-in/link">
                {settings.linkProvider(provider.name)}
              </a>
            </li>
          )}
        </ul>
      </div>
      <RemovalDialog
        removal={unlinking}
        titleOf={(issuer) => settings.identityUnlinkTitle(nameOf(issuer))}
        confirmLabel={settings.unlink}
      >
        {settings.identityUnlinkBody}
      </RemovalDialog>
    </Section>
  );
}
