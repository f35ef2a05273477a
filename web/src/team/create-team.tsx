import { Users } from 'lucide-react';
import { type SubmitEvent, useState } from 'react';
import { callWeb } from '../api/web-call.ts';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { TextField } from '../ui/controls/field.tsx';
import { sortProblem } from '../ui/feedback/form-problem.tsx';
import { EmptyState } from '../ui/feedback/state.tsx';
import { useAction } from '../ui/feedback/use-action.ts';
import { enterTeam, useEnteredToast } from './enter-team.ts';

async function createAndEnter(name: string) {
  const { team } = await callWeb('team.create', { name });
  return enterTeam(team.id, team.name);
}

/** Creates a team and makes it the current one. */
export function CreateTeamForm() {
  const texts = useText();
  const { team: text } = texts;
  const say = useEnteredToast();
  const [name, setName] = useState('');
  const create = useAction(createAndEnter, {
    // Everything may look different in another team.
    changes: [[]],
    isQuiet: true,
    onDone(entered) {
      setName('');
      say(entered, text.created);
    },
  });
  const problems = sortProblem(create.error, ['name'], texts);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    create.mutate(name);
  };
  return (
    <form onSubmit={submit} className="flex flex-wrap items-start gap-3 text-left">
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
  );
}

/** Offers to create a team to a user without one. */
export function CreateTeam() {
  const { team: text } = useText();
  return (
    <EmptyState icon={<Users aria-hidden />} title={text.none}>
      {text.noneBody}
      <div className="mt-5 flex justify-center">
        <CreateTeamForm />
      </div>
    </EmptyState>
  );
}
