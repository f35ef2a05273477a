import type { Response as Reply } from '@errand/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errand } from '../../api/errand.ts';
import { keys } from '../../api/query-keys.ts';
import { localModelQuery, modelsQuery } from '../../api/settings-queries.ts';
import { useText } from '../../text/locale.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Badge } from '../../ui/display/badge.tsx';
import { Card, Section } from '../../ui/display/card.tsx';
import { ListState } from '../../ui/feedback/list-state.tsx';
import { showToast } from '../../ui/feedback/toast.tsx';
import { useAction } from '../../ui/feedback/use-action.ts';
import { once } from '../../models/model-draft.ts';
import { ModelForm } from '../../models/model-form.tsx';
import { providers } from '../../models/provider-facts.ts';
import { TestResults } from '../../models/test-results.tsx';

/** The models of one profile, as the service lists them. */
type ProfileModels = Reply<'instance.listModels'>['data'][number];

const offline = 'offline/offline-1';
const variables: Record<string, string> = {
  'service-1.6': 'ERRAND_MODEL',
  'service-1.6-lite': 'ERRAND_MODEL_LITE',
  'service-1.6-max': 'ERRAND_MODEL_MAX',
};

function ProfileSummary({ profile }: { profile: ProfileModels }) {
  const { models } = useText();
  const { source, models: names, inherited, base_url: baseUrl, problem } = profile;
  const isFixed = source === 'environment' && !inherited;
  return (
    <div className="min-w-0 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        <span className="text-base font-medium wrap-anywhere">{names.join(', ')}</span>
        <Badge tone={source === 'settings' && !inherited ? 'good' : 'plain'}>
          {inherited ? models.inherited : models.sources[source]}
        </Badge>
      </p>
      {names[0] === offline && <p className="mt-1 text-soft">{models.offline}</p>}
      {baseUrl !== null && <p className="mt-1 wrap-anywhere text-soft">{baseUrl}</p>}
      {isFixed && <p className="mt-1 text-soft">{models.environmentHint(variables[profile.profile] ?? '')}</p>}
      {problem !== null && <p className="mt-1 wrap-anywhere text-bad">{problem}</p>}
    </div>
  );
}

interface ActionsProps {
  /** What people call the profile. */
  name: string;
  /** These are null where there is nothing to test, to reset, or to change. */
  onTest: (() => void) | null;
  isTesting: boolean;
  onReset: (() => void) | null;
  isResetting: boolean;
  onChange: (() => void) | null;
}

function Actions({ name, onTest, isTesting, onReset, isResetting, onChange }: ActionsProps) {
  const { models } = useText();
  return (
    <div className="flex gap-2">
      {onTest && (
        <Button size="small" look="quiet" aria-label={models.testOne(name)} isBusy={isTesting} onClick={onTest}>
          {models.test}
        </Button>
      )}
      {onReset && (
        <Button size="small" look="quiet" isBusy={isResetting} onClick={onReset}>
          {models.reset}
        </Button>
      )}
      {onChange && (
        <Button size="small" aria-label={models.changeOne(name)} onClick={onChange}>
          {models.change}
        </Button>
      )}
    </div>
  );
}

function Profile({ profile, found }: { profile: ProfileModels; found: string | null }) {
  const { models, home } = useText();
  const { profile: id, source, inherited } = profile;
  const isStandard = variables[id] === 'ERRAND_MODEL';
  const [isOpen, setOpen] = useState(isStandard && profile.models[0] === offline && source === 'built_in');
  const reset = useAction(() => errand.instance.setModel({ profile: id, models: '' }, once), {
    changes: [keys.models, keys.session],
    onDone: () => showToast(models.resetDone),
  });
  const test = useAction(() => errand.instance.testModel({ profile: id }, once));
  const name = (home.profiles as Record<string, string>)[id] ?? id;
  const canChange = source !== 'environment' || inherited;
  const openForm = () => {
    // The result is not about what is set next.
    test.reset();
    setOpen(true);
  };
  const actions = !isOpen && (
    <Actions
      name={name}
      onTest={profile.models[0] === offline ? null : () => test.mutate(undefined)}
      isTesting={test.isPending}
      onReset={canChange && source === 'settings' && !inherited ? () => reset.mutate(undefined) : null}
      isResetting={reset.isPending}
      onChange={canChange ? openForm : null}
    />
  );
  return (
    <Section title={name} actions={actions}>
      <Card>
        {isOpen ? (
          <ModelForm
            profile={id}
            set={source === 'settings' && !inherited ? profile : null}
            providers={providers}
            found={found}
            test={(request) => errand.instance.testModel(request, once)}
            save={(request) => errand.instance.setModel(request, once)}
            changes={[keys.models, keys.session]}
            onDone={() => setOpen(false)}
          />
        ) : (
          <>
            <ProfileSummary profile={profile} />
            {test.data && (
              <div className="mt-3">
                <TestResults results={test.data.data} />
              </div>
            )}
          </>
        )}
      </Card>
    </Section>
  );
}

/** The language models of the instance, for its owners. */
export function Models() {
  const { models } = useText();
  const list = useQuery(modelsQuery);
  // Asked before the form opens, so that it opens with what was found.
  const local = useQuery(localModelQuery);
  return (
    <>
      <p className="mb-6 max-w-prose text-sm text-soft">{models.lead}</p>
      <ListState list={list} rows={3} className="h-24">
        {null}
      </ListState>
      {!local.isPending &&
        list.data?.map((profile) => <Profile key={profile.profile} profile={profile} found={local.data ?? null} />)}
    </>
  );
}
