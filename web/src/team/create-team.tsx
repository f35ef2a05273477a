import { Users } from 'lucide-react';
import { type SubmitEvent, useState } from 'react';
import { keys } from '../api/query-keys.ts';
import { useAction } from '../ui/feedback/use-action.ts';
import { callWeb } from '../api/web-call.ts';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { TextField } from '../ui/controls/field.tsx';
import { sortProblem } from '../ui/feedback/form-problem.tsx';
import { EmptyState } from '../ui/feedback/state.tsx';
import { showToast } from '../ui/feedback/toast.tsx';

/** Offers to create a team to a user without one. */
export function CreateTeam() {
  const texts = useText();
  const { team: text } = texts;
  const [name, setName] = useState('');
  const create = useAction((chosen: string) => callWeb('team.create', { name: chosen }), {
    changes: [keys.session, keys.team],
    isQuiet: true,
    onDone: () => showToast(text.created),
  });
  const problems = sortProblem(create.error, ['name'], texts);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    create.mutate(name);
  };
  return (
    <EmptyState icon={<Users aria-hidden />} title={text.none}>
      {text.noneBody}
      <form onSubmit={submit} className="mt-5 flex flex-wrap items-start justify-center gap-3 text-left">
        <TextField
          label={text.name}
          required
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.target.value)}
          problem={problems.of('name') ?? problems.rest}
          className="w-72 max-w-full text-ink"
        />
        <Button type="submit" look="primary" isBusy={create.isPending} className="sm:mt-6.5">
          {text.create}
        </Button>
      </form>
    </EmptyState>
  );
}
