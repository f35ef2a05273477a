import { type SubmitEvent, useState } from 'react';
import { keys } from '../api/query-keys.ts';
import { useAction } from '../ui/feedback/use-action.ts';
import { callWeb } from '../api/web-call.ts';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { Card } from '../ui/display/card.tsx';
import { Field, TextField } from '../ui/controls/field.tsx';
import { FormProblem, sortProblem } from '../ui/feedback/form-problem.tsx';
import { SecretDialog, type ShownSecret } from '../ui/dialogs/secret-dialog.tsx';
import { Select } from '../ui/controls/select.tsx';

/** Creates an invite link, shown once, for the inviter to send. */
export function InviteForm({ team }: { team: string }) {
  const texts = useText();
  const { team: text } = texts;
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<'admin' | 'member'>('member');
  const [shown, setShown] = useState<ShownSecret | null>(null);
  const invite = useAction(() => callWeb('team.invite', { team, email, role }), {
    changes: [keys.team],
    isQuiet: true,
    onDone: (made) => {
      const secret = `${window.location.origin}/team/accept?token=${made.token}`;
      setShown({
        title: text.invitationMade(made.email),
        lead: made.makes_account ? text.invitationMakesAccount : text.invitationShownOnce,
        secret,
      });
      setEmail('');
    },
  });
  const problems = sortProblem(invite.error, ['email'], texts);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    invite.mutate(undefined);
  };
  const options = (['member', 'admin'] as const).map((value) => ({
    value,
    label: text.roleChoices[value],
  }));
  return (
    <Card>
      <form onSubmit={submit} className="flex flex-col items-start gap-4">
        <TextField
          label={text.email}
          hint={text.emailHint}
          type="email"
          required
          autoComplete="off"
          value={email}
          problem={problems.of('email')}
          onChange={(event) => setEmail(event.target.value)}
          className="w-full max-w-sm"
        />
        <Field label={text.role} className="max-w-full">
          {(control) => <Select<'admin' | 'member'> {...control} value={role} options={options} onValueChange={setRole} />}
        </Field>
        <FormProblem problem={problems.rest} />
        <Button type="submit" look="primary" isBusy={invite.isPending}>
          {text.makeInvitation}
        </Button>
      </form>
      <SecretDialog shown={shown} onClose={() => setShown(null)} />
    </Card>
  );
}
