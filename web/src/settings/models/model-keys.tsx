import type { ModelKey } from '@errand/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errand } from '../../api/errand.ts';
import { keys } from '../../api/query-keys.ts';
import { modelKeysQuery } from '../../api/settings-queries.ts';
import { once } from '../../models/model-draft.ts';
import { ModelForm } from '../../models/model-form.tsx';
import { ownProviders } from '../../models/provider-facts.ts';
import { TestResults } from '../../models/test-results.tsx';
import { useText } from '../../text/locale.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { Badge } from '../../ui/display/badge.tsx';
import { Card, Section } from '../../ui/display/card.tsx';
import { SkeletonList } from '../../ui/display/skeleton.tsx';
import { ErrorState } from '../../ui/feedback/state.tsx';
import { showToast } from '../../ui/feedback/toast.tsx';
import { useAction } from '../../ui/feedback/use-action.ts';

const profiles = ['service-1.6', 'service-1.6-lite', 'service-1.6-max'] as const;

/** The session says whether there is any model. */
const changes = [keys.modelKeys, keys.session];

interface OwnProps {
  own: ModelKey | undefined;
  /** The model of the standard profile, which the others use without own ones. */
  inherited: ModelKey | undefined;
}

function Summary({ own, inherited }: OwnProps) {
  const { models, modelKeys } = useText();
  const shown = own ?? inherited;
  if (!shown) return <p className="text-sm text-soft">{modelKeys.ofService}</p>;
  const tail = own?.api_key_tail ?? null;
  return (
    <div className="min-w-0 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        <span className="text-base font-medium wrap-anywhere">{shown.models.join(', ')}</span>
        <Badge tone={own ? 'good' : 'plain'}>{own ? modelKeys.own : models.inherited}</Badge>
      </p>
      {tail !== null && <p className="mt-1 text-soft">{modelKeys.keyEnd(tail)}</p>}
      {shown.base_url !== null && <p className="mt-1 wrap-anywhere text-soft">{shown.base_url}</p>}
      {shown.problem !== null && <p className="mt-1 wrap-anywhere text-bad">{shown.problem}</p>}
    </div>
  );
}

/** Removes the key of a profile, after a warning that the models of the service cost credits. */
function RemoveKey({ profile, name, onRemoved }: { profile: string; name: string; onRemoved(): void }) {
  const { modelKeys } = useText();
  const [isOpen, setOpen] = useState(false);
  const remove = useAction(() => errand.model.deleteKey({ profile }), {
    changes,
    isQuiet: true,
    onDone: () => {
      showToast(modelKeys.removed);
      onRemoved();
    },
  });
  return (
    <>
      <Button size="small" look="quiet" aria-label={modelKeys.removeOne(name)} onClick={() => setOpen(true)}>
        {modelKeys.remove}
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={modelKeys.removeOne(name)}
        confirmLabel={modelKeys.remove}
        isDangerous
        onConfirm={() => remove.mutateAsync(undefined)}
      >
        {modelKeys.removeBody}
      </ConfirmDialog>
    </>
  );
}

interface ProfileProps extends OwnProps {
  profile: (typeof profiles)[number];
  isAccepting: boolean;
}

function ProfileKey({ profile, own, inherited, isAccepting }: ProfileProps) {
  const { models, modelKeys, home } = useText();
  const [isOpen, setOpen] = useState(false);
  const name = home.profiles[profile];
  const test = useAction(() => errand.model.testKey({ profile }, once));
  const actions = !isOpen && (
    <div className="flex flex-wrap gap-2">
      {own && <RemoveKey profile={profile} name={name} onRemoved={() => test.reset()} />}
      {own && isAccepting && (
        <Button size="small" look="quiet" isBusy={test.isPending} onClick={() => test.mutate(undefined)}>
          {models.test}
        </Button>
      )}
      {isAccepting && (
        <Button size="small" aria-label={own ? models.changeOne(name) : modelKeys.setOne(name)} onClick={() => setOpen(true)}>
          {own ? models.change : modelKeys.use}
        </Button>
      )}
    </div>
  );
  return (
    <Section title={name} actions={actions}>
      <Card>
        {isOpen ? (
          <ModelForm
            profile={profile}
            set={own ?? null}
            providers={ownProviders}
            test={(request) => errand.model.testKey(request, once)}
            save={(request) => errand.model.setKey(request, once)}
            changes={changes}
            onDone={() => {
              // Its result is not about the new values.
              test.reset();
              setOpen(false);
            }}
          />
        ) : (
          <div className="flex flex-col gap-3">
            <Summary own={own} inherited={inherited} />
            {test.data && <TestResults results={test.data.data} />}
          </div>
        )}
      </Card>
    </Section>
  );
}

/** The models that the account's tasks use with keys of its own. */
export function ModelKeys() {
  const { modelKeys } = useText();
  const { data, error, refetch } = useQuery(modelKeysQuery);
  if (error) return <ErrorState error={error} onRetry={refetch} />;
  if (data === undefined) return <SkeletonList rows={3} className="h-24" />;
  const { data: own, accepts_keys: isAccepting } = data;
  const standard = own.find(({ profile }) => profile === profiles[0]);
  return (
    <>
      <p className="mb-6 max-w-prose text-sm text-soft">{isAccepting ? modelKeys.lead : modelKeys.off}</p>
      {profiles.map((profile) => (
        <ProfileKey
          key={profile}
          profile={profile}
          own={own.find((each) => each.profile === profile)}
          inherited={profile === profiles[0] ? undefined : standard}
          isAccepting={isAccepting}
        />
      ))}
    </>
  );
}
