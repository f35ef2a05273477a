import { ErrandError } from '@errand/client';
import { type SubmitEvent, useState } from 'react';
import { keys } from '../api/query-keys.ts';
import { useAction } from '../ui/feedback/use-action.ts';
import { callWeb } from '../api/web-call.ts';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { Card } from '../ui/display/card.tsx';
import { TextField } from '../ui/controls/field.tsx';
import { describeError } from '../ui/feedback/state.tsx';
import { showToast } from '../ui/feedback/toast.tsx';

const nothing = { current: '', password: '', again: '' };
const shortest = 8;

/** Changes the password, given the current one. */
export function PasswordForm({ email }: { email: string }) {
  const text = useText();
  const { settings } = text;
  const [typed, setTyped] = useState(nothing);
  const [isTried, setTried] = useState(false);
  const change = useAction(() => callWeb('account.update', { password: typed.password, current_password: typed.current }), {
    changes: [keys.sessions],
    isQuiet: true,
    onDone: () => {
      setTyped(nothing);
      setTried(false);
      showToast(settings.passwordChanged);
    },
  });
  const { error } = change;
  const isWrong = error instanceof ErrandError && error.message.startsWith('current_password');
  const problems = {
    current: isWrong ? settings.passwordWrong : null,
    password: error && !isWrong ? describeError(error, text) : null,
    again: isTried && typed.again !== typed.password ? settings.passwordsDiffer : null,
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (typed.again === typed.password) change.mutate(undefined);
  };
  const field = (name: keyof typeof nothing, autoComplete: string) => ({
    type: 'password',
    required: true,
    autoComplete,
    value: typed[name],
    problem: problems[name],
    onChange: (event: { target: { value: string } }) => setTyped({ ...typed, [name]: event.target.value }),
  });
  return (
    <Card>
      <form onSubmit={submit} className="flex max-w-sm flex-col gap-4">
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <TextField label={settings.currentPassword} {...field('current', 'current-password')} />
        <TextField
          label={settings.newPassword}
          hint={settings.newPasswordHint}
          minLength={shortest}
          {...field('password', 'new-password')}
        />
        <TextField label={settings.newPasswordAgain} {...field('again', 'new-password')} />
        <Button type="submit" look="primary" isBusy={change.isPending} className="self-start">
          {settings.changePassword}
        </Button>
      </form>
    </Card>
  );
}
