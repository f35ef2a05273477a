import { useText } from '../../text/locale.ts';
import { Field, TextField } from '../../ui/controls/field.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import type { FormProblems } from '../../ui/feedback/form-problem.tsx';
import type { ApiDraft, DescribedApi } from './api-draft.ts';
import { OperationChoice } from './operation-choice.tsx';

type SignIn = ApiDraft['signIn'];

const types = ['none', 'header', 'query', 'bearer', 'basic'] as const;

interface SignInFieldsProps {
  signIn: SignIn;
  problem: string | null;
  onChange(part: Partial<SignIn>): void;
}

/** How calls prove who makes them. The key is a secret. */
function SignInFields({ signIn, problem, onChange }: SignInFieldsProps) {
  const { connectors } = useText();
  const { apis } = connectors;
  const { type } = signIn;
  const options = types.map((value) => ({ value, label: apis.signInTypes[value] }));
  return (
    <>
      <Field label={apis.signIn} hint={type === 'none' ? undefined : apis.keyHint} problem={problem}>
        {(control) => <Select {...control} value={type} options={options} onValueChange={(value) => onChange({ type: value })} />}
      </Field>
      {(type === 'header' || type === 'query') && (
        <TextField
          label={type === 'header' ? connectors.headerName : apis.parameterName}
          required
          value={signIn.name}
          onChange={(event) => onChange({ name: event.target.value })}
        />
      )}
      {type === 'basic' && (
        <TextField
          label={apis.username}
          required
          autoComplete="off"
          value={signIn.username}
          onChange={(event) => onChange({ username: event.target.value })}
        />
      )}
      {type !== 'none' && (
        <TextField
          label={type === 'basic' ? apis.password : apis.key}
          type="password"
          autoComplete="new-password"
          required={type !== 'basic'}
          value={signIn.key}
          onChange={(event) => onChange({ key: event.target.value })}
        />
      )}
    </>
  );
}

interface ApiFieldsProps {
  api: DescribedApi;
  draft: ApiDraft;
  problems: FormProblems;
  onChange(part: Partial<ApiDraft>): void;
}

/** What is asked once the document was read. */
export function ApiFields({ api, draft, problems, onChange }: ApiFieldsProps) {
  const { connectors } = useText();
  return (
    <>
      <TextField
        label={connectors.name}
        required
        maxLength={100}
        value={draft.name}
        problem={problems.of('name')}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <TextField
        label={connectors.apis.baseUrl}
        hint={connectors.apis.baseUrlHint}
        type="url"
        required
        value={draft.baseUrl}
        problem={problems.of('base_url')}
        onChange={(event) => onChange({ baseUrl: event.target.value })}
      />
      <SignInFields
        signIn={draft.signIn}
        problem={problems.of('sign_in')}
        onChange={(part) => onChange({ signIn: { ...draft.signIn, ...part } })}
      />
      <OperationChoice
        operations={api.operations}
        chosen={draft.operations}
        most={api.most_operations}
        problem={problems.of('operations')}
        onChange={(operations) => onChange({ operations })}
      />
      <Switch
        label={connectors.byDefault}
        hint={connectors.byDefaultHint}
        isOn={draft.isDefault}
        onChange={(isDefault) => onChange({ isDefault })}
      />
    </>
  );
}
