import type { MemoryText } from '@errand/client';
import type { SubmitEvent } from 'react';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { Field } from '../ui/controls/field.tsx';
import { Checkbox } from '../ui/controls/switch.tsx';
import { TextArea } from '../ui/controls/text-area.tsx';
import { UnsavedGuard } from '../ui/dialogs/unsaved-guard.tsx';
import { FormProblem, sortProblem } from '../ui/feedback/form-problem.tsx';
import { Conflict } from './conflict.tsx';
import type { MemoryPlace } from './memory-place.ts';
import { useFileDraft } from './use-file-draft.ts';

/** The text of a file, to be changed. */
export function FileEditor({ place, file }: { place: MemoryPlace; file: MemoryText }) {
  const text = useText();
  const { memory, ui } = text;
  const { draft, change, isDirty, conflict, isSaving, problem, save, take } = useFileDraft(place, file);
  const problems = sortProblem(problem, ['content'], text);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void save(draft);
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <UnsavedGuard isDirty={isDirty && !isSaving} />
      <Field label={memory.content} problem={problems.of('content')}>
        {(control) => (
          <TextArea
            {...control}
            className="min-h-48 font-mono text-sm"
            value={draft.content}
            onChange={(event) => change({ content: event.target.value })}
          />
        )}
      </Field>
      {file.is_tainted && (
        <Checkbox label={memory.trust} isOn={draft.isTrusted} onChange={(isTrusted) => change({ isTrusted })} />
      )}
      <FormProblem problem={problems.rest} />
      {conflict ? (
        <Conflict stored={conflict} isBusy={isSaving} onTheirs={take} onMine={(version) => void save({ ...draft, version })} />
      ) : (
        <Button type="submit" look="primary" className="self-start" isBusy={isSaving} disabled={!isDirty}>
          {ui.save}
        </Button>
      )}
    </form>
  );
}
