import {
  Archive,
  BookOpenText,
  FileCode,
  FileImage,
  FileMusic,
  FileQuestionMark,
  FileSpreadsheet,
  FileText,
  FileVideo,
  Globe,
  type LucideIcon,
  Presentation,
} from 'lucide-react';
import { chooseKind, type PreviewKind } from './preview-kind.ts';
import type { PreviewFile } from './preview-file.ts';

const icons: Record<PreviewKind, LucideIcon> = {
  archive: Archive,
  audio: FileMusic,
  code: FileCode,
  deck: Presentation,
  document: FileText,
  image: FileImage,
  json: FileCode,
  markdown: FileText,
  none: FileQuestionMark,
  page: Globe,
  pdf: BookOpenText,
  printed: FileText,
  sheet: FileSpreadsheet,
  slides: Presentation,
  table: FileSpreadsheet,
  text: FileText,
  video: FileVideo,
};

/** The picture of a kind of file. */
export function FileIcon({
  file,
  className = 'size-5',
}: {
  file: Pick<PreviewFile, 'filename' | 'contentType' | 'kind'>;
  className?: string;
}) {
  const Icon = icons[chooseKind(file)];
  return <Icon aria-hidden className={`shrink-0 ${className}`} strokeWidth={1.5} />;
}
