import { type SubmitEvent, useState } from 'react';
import { errand } from '../api/errand.ts';
import { useText } from '../text/locale.ts';
import { Field, TextField } from '../ui/controls/field.tsx';
import { NewButton } from '../ui/controls/new-button.tsx';
import { TextArea } from '../ui/controls/text-area.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { DialogActions } from '../ui/dialogs/dialog-actions.tsx';
import { FormProblem, sortProblem } from '../ui/feedback/form-problem.tsx';
import { showToast } from '../ui/feedback/toast.tsx';
import { useAction } from '../ui/feedback/use-action.ts';
import { keyOf, type MemoryPlace, once } from './memory-place.ts';

const formId = 'memory-file';
const longestPath = 200;

function NewFileDialog({ place, onClose }: { place: MemoryPlace; onClose(): void }) {
  const text = useText();
  const { memory } = text;
  const [path, setPath] = useState('');
  const [content, setContent] = useState('');
  const create = useAction(() => errand.memory.write({ ...place, path: path.trim(), content, if_version: 0 }, once), {
    changes: [keyOf(place)],
    isQuiet: true,
    onDone: () => {
      showToast(memory.created);
      onClose();
    },
  });
  // A file of this path that is there is a problem of the path.
  const problems = sortProblem(create.error, ['path', 'content', 'if_version'], text);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    create.mutate(undefined);
  };
  const actions = (
    <DialogActions onCancel={onClose} label={memory.create} type="submit" form={formId} isBusy={create.isPending} />
  );
  return (
    <Dialog isOpen onClose={onClose} title={memory.new} actions={actions} isWide guardsInput>
      <form id={formId} onSubmit={submit} className="flex flex-col gap-5">
        <TextField
          label={memory.path}
          hint={memory.pathHint}
          required
          spellCheck={false}
          maxLength={longestPath}
          value={path}
          problem={problems.of('path') ?? problems.of('if_version')}
          onChange={(event) => setPath(event.target.value)}
        />
        <Field label={memory.content} problem={problems.of('content')}>
          {(control) => (
            <TextArea
              {...control}
              required
              className="min-h-40"
              value={content}
              onChange={(event) => setContent(event.target.value)}
            />
          )}
        </Field>
        <FormProblem problem={problems.rest} />
      </form>
    </Dialog>
  );
}

/** The button that adds a file to a memory, with its form. */
export function NewFile({ place }: { place: MemoryPlace }) {
  const { memory } = useText();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <NewButton label={memory.new} onClick={() => setOpen(true)} />
      {isOpen && <NewFileDialog place={place} onClose={() => setOpen(false)} />}
    </>
  );
}
