import { ErrandError, type Recipe } from '@errand/client';
import { useEffect, useRef, useState } from 'react';
import { UploadList } from '../composer/upload-list.tsx';
import { useUploads } from '../composer/use-uploads.ts';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { Field, inputClasses, TextField } from '../ui/controls/field.tsx';
import { Select } from '../ui/controls/select.tsx';
import { TextArea } from '../ui/controls/text-area.tsx';
import { joinClasses } from '../ui/display/class-names.ts';

type RecipeField = Recipe['fields'][number];

const longestText = 50_000;

/** The field of a recipe that an error is about; null if it is about none. */
export function valueNameOf(error: unknown): string | null {
  const param = error instanceof ErrandError ? error.param : null;
  return param?.startsWith('values.') === true ? param.slice('values.'.length) : null;
}

interface ValueProps {
  field: RecipeField;
  value: string;
  problem: string | null;
  /** Null while a file is being uploaded. A value that is known already changes nothing. */
  onChange(value: string | null): void;
}

/** A file, uploaded as soon as it is chosen. One that was chosen earlier stays until then, or until it is removed. */
function FileField({ field, value: before, problem, onChange }: ValueProps) {
  const { automation } = useText();
  const { uploads, add, remove } = useUploads();
  const [earlier] = useState(before);
  const [upload] = uploads;
  const [isRemoved, setRemoved] = useState(false);
  const kept = isRemoved ? '' : earlier;
  const isKept = upload === undefined && kept !== '';
  const value = upload === undefined ? kept : upload.state === 'failed' ? '' : (upload.fileId ?? null);
  // The form asks for a value, of which there is none during the upload.
  useEffect(() => onChange(value), [value, onChange]);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.setCustomValidity(value === null ? automation.uploading : ''), [value, automation]);
  const choose = (files: FileList | null) => {
    for (const one of uploads) remove(one);
    if (files) add(files);
  };
  return (
    <Field label={field.name} hint={isKept ? automation.keptFile : undefined} isOptional={!field.required} problem={problem}>
      {(control) => (
        <>
          <input
            {...control}
            ref={input}
            type="file"
            required={field.required && !isKept}
            onChange={(event) => choose(event.target.files)}
            className={joinClasses(
              inputClasses,
              'file:mr-3 file:cursor-pointer file:rounded-md file:border-0 file:bg-hover file:px-3 file:py-1 file:text-sm file:font-medium file:text-ink',
            )}
          />
          <UploadList uploads={uploads} onRemove={remove} />
          {isKept && !field.required && (
            <Button size="small" className="self-start" onClick={() => setRemoved(true)}>
              {automation.removeFile}
            </Button>
          )}
        </>
      )}
    </Field>
  );
}

/** The control for one field of a recipe. */
export function ValueField(props: ValueProps) {
  const { field, value, problem, onChange } = props;
  const { name, type, required, choices = [] } = field;
  if (type === 'file') return <FileField {...props} />;
  if (type === 'date') {
    return (
      <TextField
        label={name}
        type="date"
        className="max-w-52"
        required={required}
        isOptional={!required}
        value={value}
        problem={problem}
        onChange={(event) => onChange(event.target.value)}
      />
    );
  }
  return (
    <Field label={name} isOptional={!required} problem={problem}>
      {(control) =>
        type === 'choice' ? (
          <Select
            {...control}
            required={required}
            value={value}
            options={['', ...choices].map((choice) => ({ value: choice, label: choice }))}
            onValueChange={onChange}
          />
        ) : (
          <TextArea
            {...control}
            required={required}
            maxLength={longestText}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        )
      }
    </Field>
  );
}
