import { extname } from 'node:path';
import { invalidField } from '@errand/base/fault.ts';
import type { PaperSize, PressRequest } from '@errand/sandbox/press';

export const paperSizes = {
  A3: { widthInches: 11.69, heightInches: 16.54 },
  A4: { widthInches: 8.27, heightInches: 11.69 },
  A5: { widthInches: 5.83, heightInches: 8.27 },
  letter: { widthInches: 8.5, heightInches: 11 },
  '16:9': { widthInches: 13.333, heightInches: 7.5 },
} as const satisfies Record<string, PaperSize>;

export const views = ['desktop', 'phone', 'paper'] as const;
export type View = (typeof views)[number];

const windows: Record<View, PressRequest['window']> = {
  desktop: { width: 1280, height: 800, isPhone: false },
  phone: { width: 390, height: 844, isPhone: true },
  paper: { width: 1280, height: 800, isPhone: false },
};

/** Large enough to read the text, small enough for several in one request. */
const pictureWidths: Record<View, number> = { desktop: 1120, phone: 560, paper: 840 };

const pageEndings = ['html', 'htm', 'xhtml', 'svg'];
export const paperEndings = ['pdf', 'docx', 'doc', 'odt', 'rtf', 'xlsx', 'xls', 'ods', 'pptx', 'ppt', 'odp'];

/** Whether the press can show a file of this name. */
export function isShowable(path: string): boolean {
  const ending = extname(path).slice(1).toLowerCase();
  return pageEndings.includes(ending) || paperEndings.includes(ending);
}

/** Pages such as `1-3,7`. Throws a Fault for anything else. */
export function readRanges(text: string): [number, number][] {
  if (text.trim() === '') return [];
  return text.split(',').map((part): [number, number] => {
    const [, first = '', last = first] = /^\s*(\d{1,4})\s*(?:-\s*(\d{1,4})\s*)?$/.exec(part) ?? [];
    if (first === '' || Number(first) < 1 || Number(last) < Number(first))
      throw invalidField('pages', `${JSON.stringify(part.trim())} is no page. Write pages such as "1-3,7".`);
    return [Number(first), Number(last)];
  });
}

export interface PageRequest {
  page: PressRequest['page'];
  view: View;
  scheme?: PressRequest['scheme'];
  paper?: PaperSize | null;
  pdf?: string | null;
  pictures?: string | null;
  ranges?: [number, number][];
  mostPictures: number;
  slides?: PressRequest['slides'];
  extras?: PressRequest['extras'];
}

/** What the press is asked for, with what is usual for everything that was not said. */
export function createPressRequest(request: PageRequest): PressRequest {
  return {
    page: request.page,
    extras: request.extras ?? new Map(),
    view: request.view === 'paper' ? 'paper' : 'screen',
    window: windows[request.view],
    scheme: request.scheme ?? 'light',
    paper: request.paper ?? null,
    pdf: request.pdf ?? null,
    slides: request.slides ?? null,
    pictures: request.pictures ?? null,
    ranges: request.ranges ?? [],
    mostPictures: request.mostPictures,
    pictureWidth: pictureWidths[request.view],
  };
}
