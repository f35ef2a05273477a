import type { PreviewFile } from './preview-file.ts';

/** The ways to show files; `none` shows a file's facts and offers it for download. */
export type PreviewKind =
  | 'archive'
  | 'audio'
  | 'code'
  | 'deck'
  | 'document'
  | 'image'
  | 'json'
  | 'markdown'
  | 'none'
  | 'page'
  | 'pdf'
  | 'converted'
  | 'sheet'
  | 'slides'
  | 'table'
  | 'text'
  | 'video';

const extensions: Partial<Record<PreviewKind, string>> = {
  archive: 'zip jar epub skill',
  audio: 'mp3 wav flac aac ogg oga m4a opus weba',
  code: `bash c cc cfg clj conf cpp cs css cts cxx dart diff dockerfile elm env erl ex exs f90 go gradle graphql h hpp hs ini java jl js
    jsx kt kts less lua m mjs mk ml mts nim php pl proto properties ps1 py r rb rs sass scala scss sh sol sql svelte swift tcl tex
    toml ts tsx vb vue xml xsd xsl yaml yml zig`,
  document: 'docx',
  image: 'png jpg jpeg gif webp avif bmp svg ico',
  json: 'json geojson ipynb webmanifest',
  markdown: 'md markdown mdx',
  page: 'html htm xhtml',
  pdf: 'pdf',
  converted: 'doc dot dotx rtf odt ott',
  sheet: 'xlsx xlsm xls ods',
  slides: 'pptx ppt pps ppsx pot potx odp otp',
  table: 'csv tsv',
  text: 'txt text log srt vtt jsonl ndjson',
  video: 'mp4 m4v webm ogv mov',
};

const kindByExtension: ReadonlyMap<string, PreviewKind> = new Map(
  Object.entries(extensions).flatMap(([kind, names]) => names.split(/\s+/).map((name) => [name, kind as PreviewKind] as const)),
);

const kindByType: ReadonlyMap<string, PreviewKind> = new Map([
  ['application/json', 'json'],
  ['application/msword', 'converted'],
  ['application/pdf', 'pdf'],
  ['application/rtf', 'converted'],
  ['application/vnd.ms-powerpoint', 'slides'],
  ['application/vnd.oasis.opendocument.presentation', 'slides'],
  ['application/vnd.oasis.opendocument.text', 'converted'],
  ['application/vnd.openxmlformats-officedocument.presentationml.presentation', 'slides'],
  ['application/zip', 'archive'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'document'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'sheet'],
  ['application/vnd.oasis.opendocument.spreadsheet', 'sheet'],
  ['application/vnd.ms-excel', 'sheet'],
  ['image/svg+xml', 'image'],
  ['text/csv', 'table'],
  ['text/html', 'page'],
  ['text/markdown', 'markdown'],
  ['text/tab-separated-values', 'table'],
  ['text/plain', 'text'],
]);

/** The extension in lower case; the whole name for files such as `Dockerfile`. */
export function endingOf(filename: string): string {
  const name = filename.slice(filename.lastIndexOf('/') + 1).toLowerCase();
  return name.slice(name.lastIndexOf('.') + 1);
}

/** How to show a file. Its name takes precedence over its type, which is often too generic. */
export function chooseKind({ filename, contentType, kind }: Pick<PreviewFile, 'filename' | 'contentType' | 'kind'>): PreviewKind {
  const byName = kindByExtension.get(endingOf(filename));
  if (kind === 'slides' && byName === 'page') return 'deck';
  if (byName) return byName;
  const [essence = ''] = contentType.toLowerCase().split(';', 1);
  const byType = kindByType.get(essence.trim());
  if (byType) return byType;
  const family = /^(image|audio|video)\/(?:png|jpeg|gif|webp|avif|bmp|mpeg|mp4|wav|ogg|flac|aac|webm)$/.exec(essence.trim())?.[1];
  return (family as PreviewKind | undefined) ?? 'none';
}
