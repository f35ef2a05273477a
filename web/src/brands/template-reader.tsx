import { errand } from '../api/errand.ts';
import { useText } from '../text/locale.ts';
import { describeError } from '../ui/feedback/state.tsx';
import { useAction } from '../ui/feedback/use-action.ts';
import type { Proposal } from './brand-draft.ts';
import { FileInput, uploadBrandFile } from './brand-file.tsx';

/** What was read out of a template, and the template itself. */
export interface ReadTemplate {
  proposal: Proposal;
  fileId: string;
}

/** Reads a template's look into the form, where a person confirms it. */
export function TemplateReader({ onRead }: { onRead(read: ReadTemplate): void }) {
  const text = useText();
  const { brands } = text;
  const read = useAction(
    async (file: File) => {
      const fileId = await uploadBrandFile(file);
      return { fileId, proposal: await errand.brand.read({ file_id: fileId }) };
    },
    { isQuiet: true, onDone: onRead },
  );
  return (
    <FileInput
      label={brands.readTemplate}
      hint={brands.readTemplateHint}
      accept=".docx,.pptx,.xlsx"
      problem={read.error === null ? null : describeError(read.error, text)}
      isBusy={read.isPending}
      onChoose={(file) => read.mutate(file)}
    />
  );
}
