import { type SubmitEvent, useState } from 'react';
import { useSession } from '../api/session.ts';
import type { WebResponse } from '../api/web-call.ts';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { Field, TextField } from '../ui/controls/field.tsx';
import { FormProblem, type FormProblems, sortProblem } from '../ui/feedback/form-problem.tsx';
import { UnsavedGuard } from '../ui/dialogs/unsaved-guard.tsx';
import { Checkbox } from '../ui/controls/switch.tsx';
import { TextArea } from '../ui/controls/text-area.tsx';
import { allScopes, type Scope, ScopeField } from './scope-field.tsx';

type App = WebResponse<'app.show'>['app'];

export interface AppChoice {
  name: string;
  homepage: string;
  redirect_uris: string[];
  scopes: Scope[];
  isTrusted: boolean;
  isPublic: boolean;
}

export interface AppFormProps {
  /** Absent for a new app. */
  app?: App;
  submitLabel: string;
  isBusy: boolean;
  error: unknown;
  onSubmit(choice: AppChoice): void;
}

const fields = ['name', 'homepage', 'redirect_uris'];

interface Facts extends Omit<AppChoice, 'redirect_uris'> {
  /** One per line. */
  addresses: string;
}

function readFacts(app: App | undefined): Facts {
  return {
    name: app?.name ?? '',
    homepage: app?.homepage ?? '',
    addresses: app?.redirect_uris.join('\n') ?? '',
    scopes: app?.scopes ?? ['create_task'],
    isTrusted: app?.type === 'trusted_team',
    isPublic: app?.public_client ?? false,
  };
}

interface PartProps {
  facts: Facts;
  problems: FormProblems;
  onChange(part: Partial<Facts>): void;
}

/** The app's name, homepage, and redirect URIs. */
function Names({ facts, problems, onChange }: PartProps) {
  const { developers } = useText();
  return (
    <>
      <TextField
        label={developers.name}
        required
        maxLength={100}
        value={facts.name}
        onChange={(event) => onChange({ name: event.target.value })}
        problem={problems.of('name')}
      />
      <TextField
        label={developers.homepage}
        isOptional
        type="url"
        placeholder="https://app.example.com"
        value={facts.homepage}
        onChange={(event) => onChange({ homepage: event.target.value })}
        problem={problems.of('homepage')}
      />
      <Field label={developers.redirectUris} hint={developers.redirectUrisHint} problem={problems.of('redirect_uris')}>
        {(control) => (
          <TextArea
            {...control}
            required
            spellCheck={false}
            placeholder="https://app.example.com/callback"
            value={facts.addresses}
            onChange={(event) => onChange({ addresses: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}

/** The settings of an app. Only those who manage a team may have one trusted by it. */
export function AppForm({ app, submitLabel, isBusy, error, onSubmit }: AppFormProps) {
  const text = useText();
  const { developers } = text;
  const role = useSession().data?.team?.role;
  const [facts, setFacts] = useState(() => readFacts(app));
  const change = (part: Partial<Facts>) => setFacts((known) => ({ ...known, ...part }));
  const problems = sortProblem(error, fields, text);
  const mayTrust = role !== undefined && role !== 'member' && app?.type !== 'trusted_public' && !facts.isPublic;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const { addresses, ...choice } = facts;
    const redirectUris = addresses.split(/\s+/).filter((address) => address !== '');
    const scopes = allScopes.filter((scope) => facts.scopes.includes(scope));
    onSubmit({ ...choice, scopes, redirect_uris: redirectUris, isTrusted: facts.isTrusted && mayTrust });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-5">
      {app && <UnsavedGuard isDirty={!isBusy && JSON.stringify(facts) !== JSON.stringify(readFacts(app))} />}
      <Names facts={facts} problems={problems} onChange={change} />
      <ScopeField scopes={facts.scopes} onChange={(scopes) => change({ scopes: [...scopes] })}>
        {mayTrust && (
          <Checkbox
            label={developers.trusted}
            hint={developers.trustedHint}
            isOn={facts.isTrusted}
            onChange={(isTrusted) => change({ isTrusted })}
          />
        )}
      </ScopeField>
      {!app && (
        <Checkbox
          label={developers.publicClient}
          hint={developers.publicClientHint}
          isOn={facts.isPublic}
          onChange={(isPublic) => change({ isPublic })}
        />
      )}
      <FormProblem problem={problems.rest} />
      <Button type="submit" look="primary" isBusy={isBusy} className="self-start">
        {submitLabel}
      </Button>
    </form>
  );
}
