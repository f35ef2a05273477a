import { useState } from 'react';
import type { Request } from '@errand/client';
import { errand } from '../api/errand.ts';
import { keys } from '../api/query-keys.ts';
import { transferFile } from '../composer/file-transfer.ts';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { Field, inputClasses } from '../ui/controls/field.tsx';
import { joinClasses } from '../ui/display/class-names.ts';
import { describeError } from '../ui/feedback/state.tsx';
import { showToast } from '../ui/feedback/toast.tsx';
import { useAction } from '../ui/feedback/use-action.ts';
import type { BrandPlace } from './brand-draft.ts';

const fileClasses =
  'file:mr-3 file:cursor-pointer file:rounded-md file:border-0 file:bg-hover file:px-3 file:py-1 file:text-sm file:font-medium file:text-ink';

export interface FileInputProps {
  label: string;
  hint?: string;
  /** Endings, such as `.svg,.png`. */
  accept: string;
  problem: string | null;
  isBusy: boolean;
  onChoose(file: File): void;
}

/** A control for one file, which is taken as soon as it is chosen. */
export function FileInput({ label, hint, accept, problem, isBusy, onChoose }: FileInputProps) {
  const [round, setRound] = useState(0);
  return (
    <Field label={label} {...(hint !== undefined && { hint })} problem={problem}>
      {(control) => (
        <input
          {...control}
          key={round}
          type="file"
          accept={accept}
          disabled={isBusy}
          className={joinClasses(inputClasses, fileClasses)}
          onChange={(event) => {
            const [file] = event.target.files ?? [];
            if (file) onChoose(file);
            // A new key, so that choosing the same file again fires a change.
            setRound(round + 1);
          }}
        />
      )}
    </Field>
  );
}

/** Uploads a file; resolves to its id. */
export function uploadBrandFile(file: File): Promise<string> {
  return transferFile(file, () => undefined, new AbortController().signal);
}

export interface BrandFileProps {
  place: BrandPlace;
  label: string;
  hint?: string;
  accept: string;
  /** The name of the file that it has; null for none. */
  filename: string | null;
  /** The change that makes an upload this file, and removes it for null. */
  change(fileId: string | null): Omit<Request<'brand.set'>, 'scope' | 'id'>;
}

/** One file of a brand: saved as soon as it is chosen. */
export function BrandFile({ place, label, hint, accept, filename, change }: BrandFileProps) {
  const text = useText();
  const { brands } = text;
  const save = useAction(
    async (file: File | null) => errand.brand.set({ ...place, ...change(file && (await uploadBrandFile(file))) }),
    { changes: [keys.brand(place)], isQuiet: true, onDone: () => showToast(brands.saved) },
  );
  return (
    <div className="flex flex-col gap-2">
      <FileInput
        label={label}
        {...(hint !== undefined && { hint })}
        accept={accept}
        problem={save.error === null ? null : describeError(save.error, text)}
        isBusy={save.isPending}
        onChoose={(file) => save.mutate(file)}
      />
      {filename !== null && (
        <p className="flex flex-wrap items-center justify-between gap-2 text-sm">
          <span className="min-w-0 wrap-anywhere">{filename}</span>
          <Button
            size="small"
            look="quiet"
            aria-label={`${brands.remove}: ${label}`}
            isBusy={save.isPending}
            onClick={() => save.mutate(null)}
          >
            {brands.remove}
          </Button>
        </p>
      )}
    </div>
  );
}
