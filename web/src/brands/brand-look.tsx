import { Plus } from 'lucide-react';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { Field, TextField } from '../ui/controls/field.tsx';
import { Select } from '../ui/controls/select.tsx';
import { type BrandDraft, families, mostChartColors, ownFont, themes } from './brand-draft.ts';
import { ColorField } from './color-field.tsx';

export interface BrandLookProps {
  draft: BrandDraft;
  /** What is wrong with a field of the request. */
  problemOf(field: string): string | null;
  onChange(part: Partial<BrandDraft>): void;
}

function ChartColors({ draft: { chart }, problemOf, onChange }: BrandLookProps) {
  const { brands } = useText();
  const { number } = useFormat();
  return (
    <div className="flex flex-col gap-3">
      {chart.map((color, at) => (
        <ColorField
          // The fields have no other identity than their place.
          key={at}
          label={brands.chartColor(number(at + 1))}
          value={color}
          problem={problemOf(`colors.chart.${at}`)}
          onChange={(changed) => onChange({ chart: chart.with(at, changed) })}
          onRemove={() => onChange({ chart: chart.toSpliced(at, 1) })}
        />
      ))}
      <Button
        size="small"
        className="self-start"
        disabled={chart.length >= mostChartColors}
        onClick={() => onChange({ chart: [...chart, '#'] })}
      >
        <Plus aria-hidden className="size-4" />
        {brands.addChartColor}
      </Button>
    </div>
  );
}

function FontField({ label, value, onChange }: { label: string; value: string; onChange(value: string): void }) {
  const { brands } = useText();
  const own = value === ownFont ? [{ value: ownFont, label: brands.ownFont }] : [];
  const options = [{ value: '', label: brands.ofTheme }, ...families.map((name) => ({ value: name, label: name })), ...own];
  return (
    <Field label={label}>{(control) => <Select {...control} value={value} options={options} onValueChange={onChange} />}</Field>
  );
}

/** Name, theme, colors, fonts, and footer of a brand. */
export function BrandLook(props: BrandLookProps) {
  const { draft, problemOf, onChange } = props;
  const { brands } = useText();
  return (
    <>
      <TextField
        label={brands.name}
        maxLength={80}
        value={draft.name}
        onChange={(event) => onChange({ name: event.target.value })}
        isOptional
      />
      <Field label={brands.theme} hint={brands.themeHint}>
        {(control) => (
          <Select
            {...control}
            value={draft.theme}
            options={themes.map((value) => ({ value, label: brands.themes[value] }))}
            onValueChange={(theme) => onChange({ theme })}
          />
        )}
      </Field>
      <ColorField
        label={brands.accent}
        value={draft.accent}
        problem={problemOf('colors.accent')}
        onChange={(accent) => onChange({ accent })}
      />
      <ColorField
        label={brands.text}
        value={draft.text}
        problem={problemOf('colors.text')}
        onChange={(text) => onChange({ text })}
      />
      <ColorField
        label={brands.background}
        value={draft.background}
        problem={problemOf('colors.background')}
        onChange={(background) => onChange({ background })}
      />
      <ChartColors {...props} />
      <FontField label={brands.heading} value={draft.heading} onChange={(heading) => onChange({ heading })} />
      <FontField label={brands.body} value={draft.body} onChange={(body) => onChange({ body })} />
      <TextField
        label={brands.footer}
        hint={brands.footerHint}
        maxLength={200}
        value={draft.footer}
        onChange={(event) => onChange({ footer: event.target.value })}
        isOptional
      />
    </>
  );
}
