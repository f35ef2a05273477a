import { type ComponentType, lazy, type LazyExoticComponent, Suspense } from 'react';
import { FileFacts } from './panel/file-facts.tsx';
import { chooseKind, type PreviewKind } from './files/preview-kind.ts';
import { PreviewBoundary } from './panel/preview-boundary.tsx';
import { PreviewLoading } from './panel/preview-loading.tsx';
import type { PreviewViewProps } from './panel/preview-view.ts';

type View = ComponentType<PreviewViewProps>;

function load(importView: () => Promise<View>): LazyExoticComponent<View> {
  return lazy(async () => ({ default: await importView() }));
}

const code = load(async () => (await import('./code/code-preview.tsx')).CodePreview);
const json = load(async () => (await import('./code/json-preview.tsx')).JsonPreview);
const sheet = load(async () => (await import('./sheet/sheet-preview.tsx')).SheetPreview);
const page = load(async () => (await import('./pages/page-preview.tsx')).PagePreview);

/** Each kind is its own chunk, loaded with the first such file. */
const views: Record<Exclude<PreviewKind, 'none'>, LazyExoticComponent<View>> = {
  archive: load(async () => (await import('./archive-preview.tsx')).ArchivePreview),
  audio: load(async () => (await import('./media/media-preview.tsx')).AudioPreview),
  code,
  deck: load(async () => (await import('./slides/deck-preview.tsx')).DeckPreview),
  document: load(async () => (await import('./pages/document-preview.tsx')).DocumentPreview),
  image: load(async () => (await import('./media/image-preview.tsx')).ImagePreview),
  json,
  markdown: load(async () => (await import('./markdown-preview.tsx')).MarkdownPreview),
  page,
  pdf: load(async () => (await import('./pdf/pdf-preview.tsx')).PdfPreview),
  converted: load(async () => (await import('./pdf/converted-preview.tsx')).ConvertedPreview),
  sheet,
  slides: load(async () => (await import('./slides/slides-preview.tsx')).SlidesPreview),
  table: sheet,
  text: code,
  video: load(async () => (await import('./media/media-preview.tsx')).VideoPreview),
};

/**
 * Shows a file of any kind, filling its space (a flex column with a height). Content written by agents never runs in the application's
 * origin: it is rendered from parsed data, or in a frame with an opaque origin.
 */
export function Preview({ file, onRefresh }: PreviewViewProps) {
  const kind = chooseKind(file);
  const refresh = onRefresh ? { onRefresh } : {};
  if (kind === 'none') return <FileFacts file={file} />;
  const View = views[kind];
  return (
    <PreviewBoundary key={file.url} file={file} {...refresh}>
      <Suspense fallback={<PreviewLoading />}>
        <View file={file} {...refresh} />
      </Suspense>
    </PreviewBoundary>
  );
}
