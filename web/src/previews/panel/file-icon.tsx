import {
  Archive,
  BookOpenText,
  File,
  FileCode,
  FileImage,
  FileMusic,
  FileSpreadsheet,
  FileText,
  FileVideo,
  Globe,
  type LucideIcon,
  Presentation,
} from 'lucide-react';
import { chooseKind, endingOf, type PreviewKind } from '../files/preview-kind.ts';
import type { PreviewFile } from '../files/preview-file.ts';

const icons: Record<PreviewKind, LucideIcon> = {
  archive: Archive,
  audio: FileMusic,
  code: FileCode,
  deck: Presentation,
  document: FileText,
  image: FileImage,
  json: FileCode,
  markdown: FileText,
  none: File,
  page: Globe,
  pdf: BookOpenText,
  converted: FileText,
  sheet: FileSpreadsheet,
  slides: Presentation,
  table: FileSpreadsheet,
  text: FileText,
  video: FileVideo,
};

/** Similar kinds, for files that browsers cannot show. */
const alike: Partial<Record<PreviewKind, string>> = {
  archive: 'gz tgz tar bz2 xz 7z rar zst',
  audio: 'wma aiff aif mid midi amr',
  image: 'heic heif tif tiff psd raw',
  sheet: 'numbers parquet feather sqlite db',
  video: 'mkv avi wmv mpg mpeg flv 3gp',
};
const kindByEnding: ReadonlyMap<string, PreviewKind> = new Map(
  Object.entries(alike).flatMap(([kind, endings]) => endings.split(' ').map((ending) => [ending, kind as PreviewKind] as const)),
);

/** The apparent kind of a file, even if it cannot be shown. */
export function chooseLikeness(file: Pick<PreviewFile, 'filename' | 'contentType' | 'kind'>): PreviewKind {
  const kind = chooseKind(file);
  return kind === 'none' ? (kindByEnding.get(endingOf(file.filename)) ?? kind) : kind;
}

/** The icon of a kind of file. */
export function FileIcon({
  file,
  className = 'size-5',
}: {
  file: Pick<PreviewFile, 'filename' | 'contentType' | 'kind'>;
  className?: string;
}) {
  const Icon = icons[chooseLikeness(file)];
  return <Icon aria-hidden className={`shrink-0 ${className}`} strokeWidth={1.5} />;
}
