import type { Attachment } from '@errand/client';
import {
  AudioLines,
  File,
  FileArchive,
  FileCode,
  FileSpreadsheet,
  FileText,
  Film,
  Image,
  type LucideIcon,
  Presentation,
} from 'lucide-react';

const byType: readonly [pattern: RegExp, icon: LucideIcon][] = [
  [/^image\//, Image],
  [/^audio\//, AudioLines],
  [/^video\//, Film],
  [/spreadsheet|excel|csv/, FileSpreadsheet],
  [/presentation|powerpoint/, Presentation],
  [/zip|tar|gzip|compressed/, FileArchive],
  [/json|javascript|xml|html|x-sh|python|typescript/, FileCode],
  [/^text\/|pdf|word|document/, FileText],
];

/** A picture of what kind of file it is. */
export function FileIcon({ file, className }: { file: Attachment; className: string }) {
  const known = file.type === 'slides' ? Presentation : byType.find(([pattern]) => pattern.test(file.content_type))?.[1];
  const Icon = known ?? File;
  return <Icon aria-hidden className={className} />;
}
