import type { Response as Reply } from '@errand/client';
import type { QueryKey } from '@tanstack/react-query';
import { useState } from 'react';
import { useText } from '../text/locale.ts';
import { sortProblem } from '../ui/feedback/form-problem.tsx';
import { showToast } from '../ui/feedback/toast.tsx';
import { useAction } from '../ui/feedback/use-action.ts';
import { draftOf, type ModelDraft, type ModelRequest, requestOf, type SetModels } from './model-draft.ts';
import type { Provider } from './provider-facts.ts';

const fields = ['models', 'base_url', 'api_key'];

export interface ModelFormProps {
  profile: string;
  /** What is set for the profile; null if nothing is. */
  set: SetModels | null;
  /** The providers to choose from. */
  providers: readonly Provider[];
  /** A model that was found on the machine of the service. */
  found?: string | null;
  test(request: ModelRequest): Promise<Pick<Reply<'instance.testModel'>, 'data'>>;
  save(request: ModelRequest): Promise<unknown>;
  /** Queries to refetch after saving. */
  changes: readonly QueryKey[];
  onDone(): void;
}

/** What the form holds, and what it can do: test and save. */
export function useModelForm({ profile, set, found = null, onDone, changes, ...ask }: ModelFormProps) {
  const text = useText();
  const [draft, setDraft] = useState(() => draftOf(set, found));
  const request = () => requestOf(profile, draft);
  const test = useAction(() => ask.test(request()), { isQuiet: true });
  const save = useAction(() => ask.save(request()), {
    changes,
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
