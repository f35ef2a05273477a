import type { Trigger } from '@errand/client';
import { ChoiceField } from '../automation/choice-field.tsx';
import { useText } from '../text/locale.ts';
import { TextField } from '../ui/controls/field.tsx';
import type { FormProblems } from '../ui/feedback/form-problem.tsx';
import { BucketFields } from './bucket-fields.tsx';
import { FolderFields, useWatchRoots } from './folder-fields.tsx';
import { type SenderKind, type TriggerForm, typeOf, usualHeaders } from './trigger-request.ts';

const longestSecret = 512;

interface VerificationFieldsProps {
  form: TriggerForm;
  /** Null for a new trigger. */
  trigger: Trigger | null;
  problems: FormProblems;
  onChange(part: Partial<TriggerForm>): void;
}

/** How senders prove themselves, with an explanation of each kind. */
export function VerificationFields({ form, trigger, problems, onChange }: VerificationFieldsProps) {
  const { triggers } = useText();
  const [root = ''] = useWatchRoots();
  const { sender: type } = form;
  const { email: _, folder: __, bucket: ___, ...requests } = triggers.verifications;
  const usualHeader = usualHeaders[type];
  const isKept = trigger?.verification.type === type;
  // A trigger stays one for mail, for files, or for requests.
  if (trigger?.type === 'email') return null;
  if (trigger?.type === 'bucket') return <BucketFields form={form} hasKeys problems={problems} onChange={onChange} />;
  if (trigger?.type === 'folder') return <FolderFields form={form} problems={problems} onChange={onChange} />;
  // Stripe makes its own secret, which only Stripe knows at first.
  const isSecretNeeded = type === 'stripe' && !isKept;
  return (
    <div className="flex flex-col gap-5">
      <ChoiceField<SenderKind>
        label={triggers.verification}
        hint={triggers.explained[type]}
        value={type}
        names={trigger === null ? triggers.verifications : requests}
        problem={problems.of('type')}
        onChange={(sender) =>
          onChange({ sender, ...(sender === 'folder' && { folder: { ...form.folder, root: form.folder.root || root } }) })
        }
      />
      {type === 'folder' && <FolderFields form={form} problems={problems} onChange={onChange} />}
      {type === 'bucket' && <BucketFields form={form} hasKeys={false} problems={problems} onChange={onChange} />}
      {typeOf(type) === 'http' && type !== 'none' && (
        <TextField
          label={triggers.secret}
          isOptional={!isSecretNeeded}
          required={isSecretNeeded}
          {...(!isSecretNeeded && { hint: isKept ? triggers.secretHintKept : triggers.secretHint })}
          autoComplete="off"
          spellCheck={false}
          maxLength={longestSecret}
          value={form.secret}
          problem={problems.of('verification')}
          onChange={(event) => onChange({ secret: event.target.value })}
        />
      )}
      {usualHeader !== undefined && (
        <TextField
          label={triggers.header}
          isOptional
          hint={triggers.headerHint(usualHeader)}
          spellCheck={false}
          value={form.header}
          onChange={(event) => onChange({ header: event.target.value })}
        />
      )}
    </div>
  );
}
