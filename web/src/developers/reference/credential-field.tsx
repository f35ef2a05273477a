import { useText } from '../../text/locale.ts';
import { Field, TextField } from '../../ui/controls/field.tsx';
import { Select } from '../../ui/controls/select.tsx';
import type { ApiOperation } from './api-document.ts';
import type { Credential } from './send-request.ts';

/** What a person chose to send requests with. */
export interface CredentialChoice {
  kind: 'session' | 'key';
  key: string;
}

/** The choice is kept from one operation to the next, and only in the memory of this page. */
let lastChoice: CredentialChoice = { kind: 'session', key: '' };

/** The choice of the last operation. */
export function recallChoice(): CredentialChoice {
  return lastChoice;
}

function rememberChoice(choice: CredentialChoice): void {
  lastChoice = choice;
}

/** The credential of a choice, as the operation takes it; null while the key is missing. */
export function credentialOf({ keyHeader, takesSession }: ApiOperation, { kind, key }: CredentialChoice): Credential | null {
  if (keyHeader === null) return { kind: 'none' };
  if (takesSession && kind === 'session') return { kind: 'session' };
  return key.trim() === '' ? null : { kind: 'key', header: keyHeader, key: key.trim() };
}

export interface CredentialFieldProps {
  operation: ApiOperation;
  choice: CredentialChoice;
  onChange(choice: CredentialChoice): void;
}

/** With what requests are sent: the sign-in, or a key that is typed in and goes nowhere but into their header. */
export function CredentialField({ operation, choice, onChange }: CredentialFieldProps) {
  const { reference: text } = useText();
  const change = (next: CredentialChoice) => {
    rememberChoice(next);
    onChange(next);
  };
  if (operation.keyHeader === null) return null;
  const isKey = choice.kind === 'key' || !operation.takesSession;
  const options = [
    { value: 'session', label: text.session },
    { value: 'key', label: text.ownKey },
  ] as const;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {operation.takesSession && (
        <Field label={text.sendWith}>
          {(control) => (
            <Select {...control} value={choice.kind} options={options} onValueChange={(kind) => change({ ...choice, kind })} />
          )}
        </Field>
      )}
      {isKey && (
        <TextField
          label={text.ownKey}
          type="password"
          // Browsers fill in the password of this page in spite of `off`.
          autoComplete="new-password"
          required
          maxLength={500}
          value={choice.key}
          onChange={(event) => change({ ...choice, key: event.target.value })}
        />
      )}
    </div>
  );
}
