import type { Brand } from '@errand/client';
import { type SubmitEvent, useState } from 'react';
import { ErrandError } from '@errand/client';
import { errand } from '../api/errand.ts';
import { keys } from '../api/query-keys.ts';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { Card } from '../ui/display/card.tsx';
import { FormProblem } from '../ui/feedback/form-problem.tsx';
import { describeError } from '../ui/feedback/state.tsx';
import { showToast } from '../ui/feedback/toast.tsx';
import { useAction } from '../ui/feedback/use-action.ts';
import { type BrandDraft, type BrandPlace, draftOf, fillDraft, requestOf } from './brand-draft.ts';
import { uploadBrandFile } from './brand-file.tsx';
import { BrandLook } from './brand-look.tsx';
import { BrandPreview } from './brand-preview.tsx';
import { type ReadTemplate, TemplateReader } from './template-reader.tsx';

/** A picture in an address as a file. */
async function fileOf({ data_uri: address, type }: NonNullable<ReadTemplate['proposal']['logo']>): Promise<File> {
  const binary = atob(address.slice(address.indexOf(',') + 1));
  const bytes = Uint8Array.from(binary, (character) => character.codePointAt(0) ?? 0);
  return Promise.resolve(new File([bytes], `logo.${type}`));
}

/** What a confirmed proposal sets besides the fields of the form. */
async function takeProposal(read: ReadTemplate | null) {
  if (!read) return {};
  const { proposal, fileId } = read;
  const logo = proposal.logo && { logo: await uploadBrandFile(await fileOf(proposal.logo)) };
  return { templates: { [proposal.type]: fileId }, ...logo };
}

/** The field that an error is about, and its message. */
function readProblem(error: unknown, message: string | null): { field: string; about: string | null } {
  const [, field = '', about = null] = /^([a-z]+(?:\.\w+)*): (.*)$/s.exec(message ?? '') ?? [];
  return error instanceof ErrandError ? { field, about } : { field: '', about: null };
}

/** The look of a brand with a preview; nothing is set before it is saved. */
export function BrandForm({ place, brand }: { place: BrandPlace; brand: Brand | null }) {
  const text = useText();
  const { brands } = text;
  const [stored] = useState(() => draftOf(brand));
  const [draft, setDraft] = useState<BrandDraft>(stored);
  const [read, setRead] = useState<ReadTemplate | null>(null);
  const isChanged = read !== null || JSON.stringify(draft) !== JSON.stringify(stored);
  const save = useAction(async () => errand.brand.set({ ...requestOf(place, draft), ...(await takeProposal(read)) }), {
    changes: [keys.brand(place)],
    isQuiet: true,
    onDone: () => {
      setRead(null);
      showToast(brands.saved);
    },
  });
  const message = save.error === null ? null : describeError(save.error, text);
  const { field, about } = readProblem(save.error, message);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  const take = (found: ReadTemplate) => {
    setRead(found);
    setDraft(fillDraft(draft, found.proposal));
  };
  const discard = () => (setRead(null), setDraft(stored));
  return (
    <form aria-label={brands.look} onSubmit={submit} className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,22rem)]">
      <Card className="flex flex-col gap-5">
        <TemplateReader onRead={take} />
        {read && (
          <p role="status" className="rounded-md bg-hover px-3 py-2 text-sm">
            {brands.proposed} {read.proposal.missing_fonts.length > 0 && brands.missing(read.proposal.missing_fonts.join(', '))}
          </p>
        )}
        <BrandLook
          draft={draft}
          problemOf={(wanted) => (wanted === field ? about : null)}
          onChange={(part) => setDraft({ ...draft, ...part })}
        />
        <FormProblem problem={field.startsWith('colors.') ? null : message} />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" look="primary" isBusy={save.isPending} disabled={!isChanged}>
            {brands.save}
          </Button>
          {isChanged && (
            <Button look="quiet" onClick={discard}>
              {brands.revert}
            </Button>
          )}
        </div>
      </Card>
      <div className="lg:sticky lg:top-6 lg:self-start">
        <BrandPreview draft={draft} logo={read?.proposal.logo?.data_uri ?? brand?.logo?.data_uri ?? null} />
      </div>
    </form>
  );
}
