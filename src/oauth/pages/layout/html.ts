/** Text that is already HTML. Only `html` creates it, so everything else on a page is escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Fragment = string | number | Html | null | false | undefined | readonly Fragment[];

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function render(fragment: Fragment): string {
  if (fragment instanceof Html) return fragment.text;
  if (fragment === null || fragment === false || fragment === undefined) return '';
  if (typeof fragment === 'string' || typeof fragment === 'number') {
    return String(fragment).replaceAll(/[&<>"']/g, (char) => entities[char] ?? '');
  }
  return fragment.map(render).join('');
}

/** A page fragment. The template is HTML, interpolated values are text (attributes must be quoted). */
export function html(template: TemplateStringsArray, ...fragments: readonly Fragment[]): Html {
  return new Html(template.reduce((text, part, at) => text + render(fragments[at - 1]) + part));
}
