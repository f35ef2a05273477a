import { useState } from 'react';
import { errand } from '../../api/errand.ts';
import { keys } from '../../api/query-keys.ts';
import { useText } from '../../text/locale.ts';
import { sortProblem } from '../../ui/feedback/form-problem.tsx';
import { showToast } from '../../ui/feedback/toast.tsx';
import { useAction } from '../../ui/feedback/use-action.ts';
import { draftOf, once, type ModelDraft, type ProfileModels, requestOf } from './model-draft.ts';

const fields = ['models', 'base_url', 'api_key'];

export interface ModelFormProps {
  profile: ProfileModels;
  /** A model that was found on the machine of the service. */
  found: string | null;
  onDone(): void;
}

/** What the form holds, and what it can do: test and save. */
export function useModelForm({ profile, found, onDone }: ModelFormProps) {
  const text = useText();
  const [draft, setDraft] = useState(() => draftOf(profile, found));
  const request = () => requestOf(profile.profile, draft);
  const test = useAction(() => errand.instance.testModel(request(), once), { isQuiet: true });
  const save = useAction(() => errand.instance.setModel(request(), once), {
    changes: [keys.models, keys.session],
    isQuiet: true,
    onDone: () => {
      showToast(text.models.saved);
      onDone();
    },
  });
  const change = (part: Partial<ModelDraft>) => {
    // Neither the result of a test nor an error is about the new values.
    test.reset();
    save.reset();
    setDraft((known) => ({ ...known, ...part }));
  };
  return { draft, change, test, save, problems: sortProblem(save.error ?? test.error, fields, text) };
}
