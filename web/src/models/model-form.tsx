import type { ChangeEvent, SubmitEvent } from 'react';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { TextField } from '../ui/controls/field.tsx';
import { type FormProblems, FormProblem } from '../ui/feedback/form-problem.tsx';
import type { ModelDraft } from './model-draft.ts';
import { ProviderChoice } from './provider-choice.tsx';
import { exampleModels, needsKey, needsUrl, readModel } from './provider-facts.ts';
import { TestResults } from './test-results.tsx';
import { type ModelFormProps, useModelForm } from './use-model-form.ts';

interface ModelFieldsProps {
  draft: ModelDraft;
  /** The end of the key that is stored for this provider, null if there is none. */
  storedKey: string | null;
  problems: FormProblems;
  onChange(part: Partial<ModelDraft>): void;
}

function ModelFields({ draft, storedKey, problems, onChange }: ModelFieldsProps) {
  const { models } = useText();
  const { provider } = draft;
  const isKeyRequired = needsKey.has(provider) && storedKey === null;
  const isUrlRequired = needsUrl.has(provider);
  const bind = (field: 'name' | 'fallbacks' | 'baseUrl' | 'apiKey') => ({
    value: draft[field],
    autoComplete: 'off',
    spellCheck: false,
    onChange: (event: ChangeEvent<HTMLInputElement>) => onChange({ [field]: event.target.value }),
  });
  return (
    <>
      <TextField
        label={models.model}
        hint={models.modelHint}
        required
        placeholder={exampleModels[provider]}
        problem={problems.of('models')}
        {...bind('name')}
      />
      <TextField
        label={models.apiKey}
        hint={storedKey === null ? models.keyHint : models.keyStored(storedKey)}
        type="password"
        required={isKeyRequired}
        isOptional={!isKeyRequired}
        problem={problems.of('api_key')}
        {...bind('apiKey')}
      />
      <TextField
        label={models.baseUrl}
        hint={isUrlRequired ? undefined : models.baseUrlHint}
        type="url"
        required={isUrlRequired}
        isOptional={!isUrlRequired}
        problem={problems.of('base_url')}
        {...bind('baseUrl')}
      />
      <TextField label={models.fallbacks} hint={models.fallbacksHint} isOptional {...bind('fallbacks')} />
    </>
  );
}

/** Chooses the model of a profile, with a test before it is saved. */
export function ModelForm(props: ModelFormProps) {
  const { set, providers, found = null, onDone } = props;
  const { models, ui } = useText();
  const { draft, change, test, save, problems } = useModelForm(props);
  const here = readModel(found);
  const storedKey = set?.has_api_key === true && readModel(set.models[0])?.provider === draft.provider;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-5">
      <ProviderChoice
        providers={providers}
        chosen={draft.provider}
        found={here?.provider ?? null}
        onChange={(provider) => change({ provider, name: here?.provider === provider ? here.name : '', baseUrl: '', apiKey: '' })}
      />
      <ModelFields draft={draft} storedKey={storedKey ? (set.api_key_tail ?? '') : null} problems={problems} onChange={change} />
      <FormProblem problem={problems.rest} />
      {test.data && <TestResults results={test.data.data} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" isBusy={save.isPending}>
          {models.save}
        </Button>
        <Button isBusy={test.isPending} disabled={draft.name.trim() === ''} onClick={() => test.mutate(undefined)}>
          {models.test}
        </Button>
        <Button look="quiet" onClick={onDone}>
          {ui.cancel}
        </Button>
      </div>
    </form>
  );
}
