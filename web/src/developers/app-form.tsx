import { type SubmitEvent, useState } from 'react';
import { useSession } from '../api/session.ts';
import type { WebResponse } from '../api/web-call.ts';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/button.tsx';
import { Field, TextField } from '../ui/field.tsx';
import { describeError } from '../ui/state.tsx';
import { Checkbox } from '../ui/switch.tsx';
import { TextArea } from '../ui/text-area.tsx';
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
  /** Absent for a new one. */
  app?: App;
  submitLabel: string;
  isBusy: boolean;
  error: unknown;
  onSubmit(choice: AppChoice): void;
}

/** The problem of one field: the service names the field that it is about. */
function problemOf(message: string | null, field: string): string | null {
  return message !== null && message.startsWith(`${field}:`) ? message.slice(field.length + 2) : null;
}

const fields = ['name', 'homepage', 'redirect_uris', 'scopes'];

/** What is said of an app. Only those who manage a team may have one trusted by it. */
export function AppForm({ app, submitLabel, isBusy, error, onSubmit }: AppFormProps) {
  const text = useText();
  const { developers } = text;
  const role = useSession().data?.team?.role;
  const [name, setName] = useState(app?.name ?? '');
  const [homepage, setHomepage] = useState(app?.homepage ?? '');
  const [addresses, setAddresses] = useState(app?.redirect_uris.join('\n') ?? '');
  const [scopes, setScopes] = useState<readonly Scope[]>(app?.scopes ?? ['create_task']);
  const [isTrusted, setTrusted] = useState(app?.type === 'trusted_team');
  const [isPublic, setPublic] = useState(app?.public_client ?? false);
  const message = error ? describeError(error, text) : null;
  const isOfField = message !== null && fields.some((field) => message.startsWith(`${field}:`));
  const mayTrust = role !== undefined && role !== 'member' && app?.type !== 'trusted_public' && !isPublic;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const redirectUris = addresses.split(/\s+/).filter((address) => address !== '');
    const chosen = allScopes.filter((scope) => scopes.includes(scope));
    onSubmit({ name, homepage, redirect_uris: redirectUris, scopes: chosen, isTrusted: isTrusted && mayTrust, isPublic });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-5">
      <TextField
        label={developers.name}
        required
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.target.value)}
        problem={problemOf(message, 'name')}
      />
      <TextField
        label={developers.homepage}
        isOptional
        type="url"
        value={homepage}
        onChange={(event) => setHomepage(event.target.value)}
        problem={problemOf(message, 'homepage')}
      />
      <Field label={developers.redirectUris} hint={developers.redirectUrisHint} problem={problemOf(message, 'redirect_uris')}>
        {(control) => <TextArea {...control} required value={addresses} onChange={(event) => setAddresses(event.target.value)} />}
      </Field>
      <ScopeField scopes={scopes} onChange={setScopes}>
        {mayTrust && <Checkbox label={developers.trusted} hint={developers.trustedHint} isOn={isTrusted} onChange={setTrusted} />}
      </ScopeField>
      {!app && (
        <Checkbox label={developers.publicClient} hint={developers.publicClientHint} isOn={isPublic} onChange={setPublic} />
      )}
      {message !== null && (!isOfField || problemOf(message, 'scopes') !== null) && (
        <p role="alert" className="text-sm text-bad">
          {message}
        </p>
      )}
      <Button type="submit" look="primary" isBusy={isBusy} className="self-start">
        {submitLabel}
      </Button>
    </form>
  );
}
