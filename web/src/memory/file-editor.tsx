import type { MemoryText } from '@errand/client';
import { useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { errand, isNotFound } from '../api/errand.ts';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { Field } from '../ui/controls/field.tsx';
import { Checkbox } from '../ui/controls/switch.tsx';
import { TextArea } from '../ui/controls/text-area.tsx';
import { UnsavedGuard } from '../ui/dialogs/unsaved-guard.tsx';
import { FormProblem, sortProblem } from '../ui/feedback/form-problem.tsx';
import { showToast } from '../ui/feedback/toast.tsx';
import { useAction } from '../ui/feedback/use-action.ts';
import { Conflict, type StoredNow } from './conflict.tsx';
import { memoryFileQuery } from './memory-file-query.ts';
import { isConflict, keyOf, type MemoryPlace, once } from './memory-place.ts';

/** What is written: over which version, and whether the user vouches for it. */
interface Draft {
  content: string;
  version: number;
  isTrusted: boolean;
}

/** Reads what somebody else has written. */
function useStoredNow(place: MemoryPlace, path: string): () => Promise<StoredNow> {
  const client = useQueryClient();
  return async () => {
    try {
      return { file: await client.query({ ...memoryFileQuery(place, path), staleTime: 0 }) };
    } catch (error) {
      if (isNotFound(error)) return { file: null };
      throw error;
    }
  };
}

/** The text of a file, to be changed. A version of somebody else is never overwritten unasked. */
export function FileEditor({ place, file }: { place: MemoryPlace; file: MemoryText }) {
  const text = useText();
  const { memory, ui } = text;
  const { path } = file;
  const readStored = useStoredNow(place, path);
  const [draft, setDraft] = useState<Draft>({ content: file.content, version: file.version, isTrusted: false });
  const [conflict, setConflict] = useState<StoredNow | null>(null);
  const [base, setBase] = useState(file.content);
  const isDirty = draft.content !== base || draft.isTrusted;
  const take = ({ content, version }: MemoryText) => {
    setDraft({ content, version, isTrusted: false });
    setBase(content);
    setConflict(null);
  };
  // Nothing is lost by showing what somebody else has written.
  if (!isDirty && file.version > draft.version) take(file);
  const save = useAction(
    ({ content, version, isTrusted }: Draft) =>
      errand.memory.write({ ...place, path, content, if_version: version, ...(isTrusted && { is_tainted: false }) }, once),
    {
      changes: [keyOf(place)],
      isQuiet: true,
      onDone: ({ memory: written }) => {
        setDraft((before) => ({ ...before, version: written.version, isTrusted: false }));
        setConflict(null);
        showToast(memory.saved);
      },
    },
  );
  const submit = async (chosen: Draft) => {
    try {
      await save.mutateAsync(chosen);
      setBase(chosen.content);
    } catch (error) {
      if (isConflict(error)) setConflict(await readStored());
    }
  };
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    void submit(draft);
  };
  const problems = sortProblem(isConflict(save.error) ? null : save.error, ['content'], text);
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-4">
      <UnsavedGuard isDirty={isDirty && !save.isPending} />
      <Field label={memory.content} problem={problems.of('content')}>
        {(control) => (
          <TextArea
            {...control}
            className="min-h-48 font-mono text-sm"
            value={draft.content}
            onChange={(event) => setDraft((before) => ({ ...before, content: event.target.value }))}
          />
        )}
      </Field>
      {file.is_tainted && (
        <Checkbox
          label={memory.trust}
          isOn={draft.isTrusted}
          onChange={(isTrusted) => setDraft((before) => ({ ...before, isTrusted }))}
        />
      )}
      <FormProblem problem={problems.rest} />
      {conflict ? (
        <Conflict
          stored={conflict}
          isBusy={save.isPending}
          onTheirs={take}
          onMine={(version) => void submit({ ...draft, version })}
        />
      ) : (
        <Button type="submit" look="primary" className="self-start" isBusy={save.isPending} disabled={!isDirty}>
          {ui.save}
        </Button>
      )}
    </form>
  );
}
