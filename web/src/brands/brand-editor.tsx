import { useQuery } from '@tanstack/react-query';
import { brandQuery } from '../api/limit-queries.ts';
import { errand } from '../api/errand.ts';
import { keys } from '../api/query-keys.ts';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { Card, Section } from '../ui/display/card.tsx';
import { SkeletonList } from '../ui/display/skeleton.tsx';
import { ErrorState } from '../ui/feedback/state.tsx';
import { RemovalDialog } from '../ui/dialogs/removal-dialog.tsx';
import { useRemoval } from '../ui/dialogs/use-removal.ts';
import { type BrandPlace, draftOf } from './brand-draft.ts';
import { BrandFiles } from './brand-files.tsx';
import { BrandForm } from './brand-form.tsx';

/** The brand of the account or of a project. */
export function BrandEditor({ place }: { place: BrandPlace }) {
  const { brands } = useText();
  const { data, error, refetch } = useQuery(brandQuery(place));
  const removal = useRemoval((which: BrandPlace) => errand.brand.delete(which), {
    changes: [keys.brand(place)],
    describeDone: () => brands.deleted,
  });
  if (error) return <ErrorState error={error} onRetry={refetch} />;
  if (data === undefined) return <SkeletonList rows={2} className="h-32" />;
  const { brand } = data;
  const remove = brand && (
    <Button size="small" look="danger" onClick={() => removal.ask(place)}>
      {brands.delete}
    </Button>
  );
  return (
    <>
      <Section title={brands.look} lead={place.scope === 'project' ? brands.projectLead : brands.lead} actions={remove}>
        <BrandForm key={JSON.stringify(draftOf(brand))} place={place} brand={brand} />
      </Section>
      <Section title={brands.files} lead={brands.filesLead}>
        <Card>
          <BrandFiles place={place} brand={brand} />
        </Card>
      </Section>
      <RemovalDialog removal={removal} titleOf={() => brands.deleteTitle} confirmLabel={brands.delete}>
        {brands.deleteBody}
      </RemovalDialog>
    </>
  );
}
