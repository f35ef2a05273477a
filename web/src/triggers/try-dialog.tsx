import type { Trigger } from '@errand/client';
import { type SubmitEvent, useState } from 'react';
import { errand } from '../api/errand.ts';
import { keys } from '../api/query-keys.ts';
import { useText } from '../text/locale.ts';
import { Field } from '../ui/controls/field.tsx';
import { TextArea } from '../ui/controls/text-area.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { DialogActions } from '../ui/dialogs/dialog-actions.tsx';
import { FormProblem, sortProblem } from '../ui/feedback/form-problem.tsx';
import { showToast } from '../ui/feedback/toast.tsx';
import { useAction } from '../ui/feedback/use-action.ts';
import { readFilterValue } from './filter-value.ts';

const formId = 'trigger-try';
/** What a payload looks like where that does not depend on the sender. */
const file = '{"name": "a.pdf", "path": "a.pdf", "size_bytes": 1000}';
const samples = { http: '', email: '', folder: file, bucket: file };

interface TryDialogProps {
  trigger: Pick<Trigger, 'id' | 'type'>;
  /** What the payload begins with; empty for a sample. */
  body: string;
  onClose(): void;
}

/** Starts a task from a payload of the user. */
export function TryDialog({ trigger: { id, type }, body, onClose }: TryDialogProps) {
  const text = useText();
  const { triggers } = text;
  const [payload, setPayload] = useState(body || samples[type]);
  const start = useAction(() => errand.trigger.try({ trigger_id: id, body: readFilterValue(payload) }), {
    changes: [keys.triggers],
    isQuiet: true,
    onDone: () => {
      showToast(triggers.started);
      onClose();
    },
  });
  const problems = sortProblem(start.error, ['body'], text);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    start.mutate(undefined);
  };
  const actions = (
    <DialogActions onCancel={onClose} label={triggers.tryStart} type="submit" form={formId} isBusy={start.isPending} />
  );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={triggers.try}
      lead={type === 'folder' || type === 'bucket' ? triggers.tryLeadFolder : triggers.tryLead}
      actions={actions}
      guardsInput
    >
      <form id={formId} onSubmit={submit} className="flex flex-col gap-4">
        <Field label={triggers.tryBody} problem={problems.of('body')}>
          {(control) => (
            <TextArea
              {...control}
              className="min-h-32 font-mono text-sm"
              spellCheck={false}
              value={payload}
              onChange={(event) => setPayload(event.target.value)}
            />
          )}
        </Field>
        <FormProblem problem={problems.rest} />
      </form>
    </Dialog>
  );
}
