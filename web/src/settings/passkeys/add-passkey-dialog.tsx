import { ErrandError } from '@errand/client';
import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useId, useState } from 'react';
import { useSession } from '../../api/session.ts';
import { sessionsQuery } from '../../api/settings-queries.ts';
import { callWeb } from '../../api/web-call.ts';
import { useText } from '../../text/locale.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/field.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { FormProblem } from '../../ui/feedback/form-problem.tsx';
import { describeError } from '../../ui/feedback/state.tsx';
import { useAction } from '../../ui/feedback/use-action.ts';
import { makePasskey, type PasskeyRefusal } from './browser-passkey.ts';

/** Has the browser make a passkey for the account; why it did not, or null once it is added. */
async function addPasskey(name: string, password: string): Promise<PasskeyRefusal | null> {
  const { setup_id: setupId, options } = await callWeb('account.passkeyBegin', { password });
  const made = await makePasskey(options);
  if ('refusal' in made) return made.refusal;
  await callWeb('account.passkeyAdd', { setup_id: setupId, credential: made.credential, name: name.trim() });
  return null;
}

/** Asks for the password, then has the browser make a passkey and adds it to the account. */
export function AddPasskeyDialog({ onDone, onClose }: { onDone(): void; onClose(): void }) {
  const text = useText();
  const { passkeys, twoStep, ui } = text;
  const email = useSession().data?.account.email ?? '';
  const thisBrowser = useQuery(sessionsQuery).data?.find((session) => session.is_current)?.browser;
  const formId = useId();
  const [typedName, setName] = useState<string | null>(null);
  const [password, setPassword] = useState('');
  const name = typedName ?? thisBrowser ?? passkeys.usualName;
  const add = useAction(() => addPasskey(name, password), {
    isQuiet: true,
    onDone: (refusal) => refusal === null && onDone(),
  });
  const { error, data: refusal } = add;
  const isWrongPassword = error instanceof ErrandError && error.message.startsWith('password');
  const refused = refusal ? passkeys.refusals[refusal] : null;
  const problem = error && !isWrongPassword ? describeError(error, text) : refused;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    add.mutate(undefined);
  };
  const actions = (
    <>
      <Button onClick={onClose}>{ui.cancel}</Button>
      <Button type="submit" form={formId} look="primary" isBusy={add.isPending}>
        {passkeys.continue}
      </Button>
    </>
  );
  return (
    <Dialog isOpen onClose={onClose} title={passkeys.addTitle} lead={passkeys.addLead} actions={actions}>
      <form id={formId} onSubmit={submit} className="flex flex-col gap-4">
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <TextField
          label={passkeys.name}
          hint={passkeys.nameHint}
          required
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <TextField
          label={twoStep.password}
          type="password"
          autoComplete="current-password"
          required
          value={password}
          problem={isWrongPassword ? twoStep.passwordWrong : undefined}
          onChange={(event) => setPassword(event.target.value)}
        />
        <FormProblem problem={problem} />
      </form>
    </Dialog>
  );
}
