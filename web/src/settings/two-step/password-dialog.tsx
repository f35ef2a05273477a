import { ErrandError } from '@errand/client';
import { type SubmitEvent, useId, useState } from 'react';
import { useSession } from '../../api/session.ts';
import { useText } from '../../text/locale.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/field.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { describeError } from '../../ui/feedback/state.tsx';
import { useAction } from '../../ui/feedback/use-action.ts';

export interface PasswordDialogProps<Result> {
  title: string;
  lead: string;
  confirmLabel: string;
  isDangerous?: boolean;
  act(password: string): Promise<Result>;
  onDone(result: Result): void;
  onClose(): void;
}

/** Asks for the password again before a change to two-step sign-in. */
export function PasswordDialog<Result>(props: PasswordDialogProps<Result>) {
  const { title, lead, confirmLabel, isDangerous = false, act, onDone, onClose } = props;
  const text = useText();
  const { twoStep, ui } = text;
  const email = useSession().data?.account.email ?? '';
  const formId = useId();
  const [password, setPassword] = useState('');
  const change = useAction(act, { isQuiet: true, onDone });
  const { error } = change;
  const isWrong = error instanceof ErrandError && error.message.startsWith('password');
  const problem = error && (isWrong ? twoStep.passwordWrong : describeError(error, text));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    change.mutate(password);
  };
  const actions = (
    <>
      <Button onClick={onClose}>{ui.cancel}</Button>
      <Button type="submit" form={formId} look={isDangerous ? 'danger' : 'primary'} isBusy={change.isPending}>
        {confirmLabel}
      </Button>
    </>
  );
  return (
    <Dialog isOpen onClose={onClose} title={title} lead={lead} actions={actions}>
      <form id={formId} onSubmit={submit}>
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <TextField
          label={twoStep.password}
          type="password"
          autoComplete="current-password"
          required
          value={password}
          problem={problem}
          onChange={(event) => setPassword(event.target.value)}
        />
      </form>
    </Dialog>
  );
}
