import { type SubmitEvent, useState } from 'react';
import type { WebRequest } from '../api/web-call.ts';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { Field, TextField } from '../ui/controls/field.tsx';
import { Select } from '../ui/controls/select.tsx';
import { FormProblem, sortProblem } from '../ui/feedback/form-problem.tsx';

export type KeyRequest = WebRequest<'key.create'>;

const scopes = ['everything', 'tasks', 'read_only'] as const;
type Scope = (typeof scopes)[number];
const lives = { never: null, days30: 30, days90: 90, days365: 365 } as const;
type Life = keyof typeof lives;

function isLife(name: string): name is Life {
  return name in lives;
}

/** Unix time in seconds at which a key of this life ends. */
function findEnd(life: Life): Pick<KeyRequest, 'expires_at'> {
  const days = lives[life];
  return days === null ? {} : { expires_at: Math.floor(Date.now() / 1000) + days * 24 * 60 * 60 };
}

/** Name, access, and life of a new key. The name is cleared when `onSubmit` resolves, and kept on failure. */
export function KeyForm(props: { isBusy: boolean; error: unknown; onSubmit(request: KeyRequest): Promise<unknown> }) {
  const texts = useText();
  const { developers: text } = texts;
  const [name, setName] = useState('');
  const [scope, setScope] = useState<Scope>('everything');
  const [life, setLife] = useState<Life>('never');
  const problems = sortProblem(props.error, ['name'], texts);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    props.onSubmit({ name, scope, ...findEnd(life) }).then(
      () => setName(''),
      () => undefined,
    );
  };
  return (
    <form onSubmit={submit} className="mb-8 flex flex-col gap-4">
      <div className="flex flex-wrap items-start gap-3">
        <TextField
          label={text.name}
          hint={text.nameHint}
          problem={problems.of('name')}
          autoComplete="off"
          required
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.target.value)}
          className="w-full max-w-sm"
        />
        <Field label={text.access}>
          {(control) => (
            <Select<Scope>
              {...control}
              value={scope}
              options={scopes.map((value) => ({ value, label: text.keyScopes[value] }))}
              onValueChange={setScope}
            />
          )}
        </Field>
        <Field label={text.expires}>
          {(control) => (
            <Select<Life>
              {...control}
              value={life}
              options={Object.keys(lives)
                .filter(isLife)
                .map((value) => ({ value, label: text.keyLives[value] }))}
              onValueChange={setLife}
            />
          )}
        </Field>
        <Button type="submit" look="primary" isBusy={props.isBusy} className="max-sm:self-end sm:mt-6.5">
          {text.createKey}
        </Button>
      </div>
      <FormProblem problem={problems.rest} />
    </form>
  );
}
