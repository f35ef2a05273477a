import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { keys } from '../api/query-keys.ts';
import { identitiesQuery } from '../api/settings-queries.ts';
import { callWeb } from '../api/web-call.ts';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { Section } from '../ui/display/card.tsx';
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx';
import { linkClasses } from '../ui/display/link.tsx';
import { Time } from '../ui/display/time.tsx';
import { showToast } from '../ui/feedback/toast.tsx';
import { useAction } from '../ui/feedback/use-action.ts';

/** Who signs in to the account at a provider; nothing where there is no provider and never was one. */
export function ProviderSignIn() {
  const { settings } = useText();
  const { data } = useQuery(identitiesQuery);
  const [leaving, setLeaving] = useState<string | null>(null);
  const unlink = useAction((issuer: string) => callWeb('identity.unlink', { issuer }), {
    changes: [keys.identities],
    onDone: () => showToast(settings.identityUnlinked),
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
                  onClick={() => setLeaving(issuer)}
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
      <ConfirmDialog
        isOpen={leaving !== null}
        onClose={() => setLeaving(null)}
        title={settings.identityUnlinkTitle(leaving === null ? '' : nameOf(leaving))}
        confirmLabel={settings.unlink}
        isDangerous
        onConfirm={() => unlink.mutateAsync(leaving ?? '')}
      >
        {settings.identityUnlinkBody}
      </ConfirmDialog>
    </Section>
  );
}
