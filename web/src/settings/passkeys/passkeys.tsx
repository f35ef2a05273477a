import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keys } from '../../api/query-keys.ts';
import { passkeysQuery } from '../../api/settings-queries.ts';
import { callWeb, type WebResponse } from '../../api/web-call.ts';
import { useText } from '../../text/locale.ts';
import { Button } from '../../ui/controls/button.tsx';
import { RemovalDialog } from '../../ui/dialogs/removal-dialog.tsx';
import { useRemoval } from '../../ui/dialogs/use-removal.ts';
import { Badge } from '../../ui/display/badge.tsx';
import { Card, Section } from '../../ui/display/card.tsx';
import { SkeletonList } from '../../ui/display/skeleton.tsx';
import { Time } from '../../ui/display/time.tsx';
import { ErrorState } from '../../ui/feedback/state.tsx';
import { showToast } from '../../ui/feedback/toast.tsx';
import { AddPasskeyDialog } from './add-passkey-dialog.tsx';
import { canMakePasskey } from './browser-passkey.ts';

type Passkey = WebResponse<'account.passkeys'>['data'][number];

function PasskeyRow({ passkey, onRemove }: { passkey: Passkey; onRemove(): void }) {
  const { passkeys, settings } = useText();
  return (
    <li className="flex items-center justify-between gap-4 px-5 py-3">
      <div className="min-w-0 text-sm wrap-anywhere">
        {passkey.name} {passkey.is_synced && <Badge>{passkeys.synced}</Badge>}
        <p className="mt-0.5 text-soft">
          {passkeys.since} <Time ms={passkey.created_at * 1000} />
          {passkey.last_used_at !== null && (
            <>
              {' · '}
              {settings.lastUsed} <Time ms={passkey.last_used_at * 1000} />
            </>
          )}
        </p>
      </div>
      <Button size="small" look="quiet" aria-label={passkeys.removeNamed(passkey.name)} onClick={onRemove}>
        {passkeys.remove}
      </Button>
    </li>
  );
}

/** The passkeys of the account: each signs in without a password. */
export function Passkeys() {
  const { passkeys } = useText();
  const client = useQueryClient();
  const { data, error, isPending, refetch } = useQuery(passkeysQuery);
  const [isAdding, setAdding] = useState(false);
  const removal = useRemoval((passkey: Passkey) => callWeb('account.passkeyRemove', { passkey_id: passkey.passkey_id }), {
    changes: [keys.passkeys, keys.activity],
    describeDone: ({ name }) => passkeys.removed(name),
  });
  const finish = () => {
    for (const queryKey of [keys.passkeys, keys.activity]) void client.invalidateQueries({ queryKey });
    setAdding(false);
    showToast(passkeys.added);
  };
  // Where nobody can sign in with one, there is nothing to say about them.
  if (data && data.site === null && data.data.length === 0) return null;
  const canAdd = data !== undefined && data.has_password && canMakePasskey(data.site);
  const actions = canAdd && (
    <Button size="small" onClick={() => setAdding(true)}>
      {passkeys.add}
    </Button>
  );
  const whyNot = data?.has_password === false ? passkeys.noPassword : passkeys.notHere(data?.site ?? '');
  return (
    <Section title={passkeys.title} lead={passkeys.lead} actions={actions}>
      {error && <ErrorState error={error} onRetry={refetch} />}
      {isPending && <SkeletonList rows={1} />}
      {data && data.data.length > 0 && (
        <div className="rounded-lg border border-line bg-card">
          <ul className="divide-y divide-line">
            {data.data.map((passkey) => (
              <PasskeyRow key={passkey.passkey_id} passkey={passkey} onRemove={() => removal.ask(passkey)} />
            ))}
          </ul>
        </div>
      )}
      {data?.data.length === 0 && <Card className="text-sm">{canAdd ? passkeys.none : whyNot}</Card>}
      {isAdding && <AddPasskeyDialog onDone={finish} onClose={() => setAdding(false)} />}
      <RemovalDialog removal={removal} titleOf={({ name }) => passkeys.removeTitle(name)} confirmLabel={passkeys.remove}>
        {passkeys.removeBody}
      </RemovalDialog>
    </Section>
  );
}
