/** What is asked of the press and what it answers; both cross the border of the sandbox as JSON. */

export interface PaperSize {
  widthInches: number;
  heightInches: number;
}

export interface PressJob {
  /** Path of Chromium, and of LibreOffice if there is one. */
  programs: { chromium: string; office: string | null };
  /** The folder with a package of fonts for each language of East Asia, and the packages in it. */
  fonts: { folder: string; packages: readonly string[] };
  /** A file of the workspace, or a page that is nowhere, whose relative addresses begin at the top of the workspace. */
  page: { path: string } | { html: string };
  /** Files that the page finds at these paths besides the workspace, as Base64. */
  extras: Record<string, string>;
  /** Content types by extension. */
  types: Record<string, string>;
  /** `screen`: as in a window; `paper`: as printed. */
  view: 'screen' | 'paper';
  window: { width: number; height: number; isPhone: boolean };
  scheme: 'light' | 'dark';
  /** Null: what the page says, otherwise A4. */
  paper: PaperSize | null;
  /** The page is a drawing: one picture of all of it, without a ground. */
  isDrawing?: boolean;
  /** Where the PDF goes, in the workspace; null for none. */
  pdf: string | null;
  /**
   * The page is a deck. `data`: where its slides go as data, in the workspace, without `.json` (its pictures beside it); it is then set in
   * fonts that offices have. `html`: where the page goes as one file. Null for a page that is none.
   */
  slides: { data: string | null; html: string | null } | null;
  /** Where the pictures go, without `-1.png`; null for none. */
  pictures: string | null;
  /** Pages as pairs of first and last, counted from 1; empty: from the first on. */
  ranges: [number, number][];
  mostPictures: number;
  /** Width of a picture in pixels. */
  pictureWidth: number;
}

const findingKinds = [
  'cut',
  'overlap',
  'contrast',
  'small',
  'wide',
  'empty',
  'picture',
  'link',
  'font',
  'glyph',
  'script',
  'network',
  'unnamed',
  'time',
] as const;

/** A visible defect of a page, such as cut-off text. */
export interface Finding {
  kind: (typeof findingKinds)[number];
  /** Null if it concerns the whole. */
  page: number | null;
  /** A selector; empty if the finding concerns the whole page. */
  element: string;
  /** The first words of the element. */
  words: string;
  /** What is wrong, in words that follow the element. */
  text: string;
}

export interface PressReport {
  /** Why no pages could be made; null if they were made. */
  problem: string | null;
  pageCount: number;
  pictures: { path: string; page: number }[];
  findings: Finding[];
}
