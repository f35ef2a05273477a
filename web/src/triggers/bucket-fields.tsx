import { ChoiceField } from '../automation/choice-field.tsx';
import { useText } from '../text/locale.ts';
import { TextField } from '../ui/controls/field.tsx';
import type { FormProblems } from '../ui/feedback/form-problem.tsx';
import type { BucketForm, TriggerForm } from './trigger-request.ts';

interface BucketFieldsProps {
  form: TriggerForm;
  /** Whether the service has keys already; they stay unless others are entered. */
  hasKeys: boolean;
  problems: FormProblems;
  onChange(part: Partial<TriggerForm>): void;
}

const texts = ['endpoint', 'name', 'prefix', 'pattern', 'region'] as const;
const keyParts = ['accessKeyId', 'secretAccessKey'] as const;

/** The fields for the bucket whose objects start tasks. */
export function BucketFields({ form: { bucket }, hasKeys, problems, onChange }: BucketFieldsProps) {
  const { triggers } = useText();
  const change = (part: Partial<BucketForm>) => onChange({ bucket: { ...bucket, ...part } });
  return (
    <>
      {texts.map((part) => (
        <TextField
          key={part}
          label={triggers.bucket[part].label}
          hint={triggers.bucket[part].hint}
          required={part === 'endpoint' || part === 'name'}
          isOptional={part !== 'endpoint' && part !== 'name'}
          spellCheck={false}
          value={bucket[part]}
          problem={part === 'endpoint' ? problems.of('bucket') : null}
          onChange={(event) => change({ [part]: event.target.value })}
        />
      ))}
      {keyParts.map((part) => (
        <TextField
          key={part}
          label={triggers.bucket[part].label}
          hint={hasKeys ? triggers.bucket.keyKept : triggers.bucket[part].hint}
          required={!hasKeys}
          isOptional={hasKeys}
          type={part === 'secretAccessKey' ? 'password' : 'text'}
          autoComplete="off"
          spellCheck={false}
          value={bucket[part]}
          onChange={(event) => change({ [part]: event.target.value })}
        />
      ))}
      <ChoiceField
        label={triggers.bucket.after}
        value={bucket.after}
        names={triggers.bucket.afters}
        onChange={(after) => change({ after })}
      />
    </>
  );
}
