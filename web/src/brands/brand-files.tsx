import type { Brand } from '@errand/client';
import { clearing } from '../api/errand.ts';
import { useText } from '../text/locale.ts';
import type { BrandPlace } from './brand-draft.ts';
import { BrandFile } from './brand-file.tsx';

type Change = Parameters<typeof BrandFile>[0]['change'];

/** The fields that one file of a brand is. */
function changing(fields: (fileId: string | null) => Parameters<typeof clearing<'brand.set'>>[0]): Change {
  return (fileId) => clearing<'brand.set'>(fields(fileId));
}

function nameFile(font: Brand['fonts']['heading']): string | null {
  return typeof font === 'object' ? font.filename : null;
}

/** Logo, fonts, and templates of a brand: each is saved as soon as it is chosen. */
export function BrandFiles({ place, brand }: { place: BrandPlace; brand: Brand | null }) {
  const { brands } = useText();
  const { scope } = place;
  const { logo = null, fonts = {}, templates = {} } = brand ?? {};
  const fonted = [
    { label: brands.headingFont, part: 'heading' as const },
    { label: brands.bodyFont, part: 'text' as const },
  ];
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <BrandFile
        place={place}
        label={brands.logo}
        hint={brands.logoHint}
        accept=".svg,.png"
        filename={logo?.filename ?? null}
        change={changing((fileId) => ({ scope, logo: fileId }))}
      />
      {fonted.map(({ label, part }) => (
        <BrandFile
          key={part}
          place={place}
          label={label}
          hint={brands.fontHint}
          accept=".woff2,.ttf,.otf"
          filename={nameFile(fonts[part])}
          change={changing((fileId) => ({ scope, fonts: { [part]: fileId } }))}
        />
      ))}
      {(['docx', 'pptx', 'xlsx'] as const).map((form) => (
        <BrandFile
          key={form}
          place={place}
          label={brands.template[form]}
          accept={`.${form}`}
          filename={templates[form]?.filename ?? null}
          change={changing((fileId) => ({ scope, templates: { [form]: fileId } }))}
        />
      ))}
    </div>
  );
}
