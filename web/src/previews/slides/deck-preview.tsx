import { useState } from 'react';
import { decodeText } from '../files/decode-text.ts';
import { PageView } from '../pages/page-view.tsx';
import { PreviewLoading } from '../panel/preview-loading.tsx';
import { PreviewProblem } from '../panel/preview-problem.tsx';
import type { PreviewViewProps } from '../panel/preview-view.ts';
import { useFile } from '../files/use-file.ts';
import { Slides } from './slides.tsx';

const maxBytes = 50_000_000;

/** A deck, one slide at a time. */
export function DeckPreview(view: PreviewViewProps) {
  const { value, error } = useFile('text', view.file, { maxBytes }, (bytes) => ({ text: decodeText(bytes), isCut: false }));
  const [isDeck, setDeck] = useState(true);
  if (error) return <PreviewProblem {...view} error={error} />;
  if (!value) return <PreviewLoading />;
  if (!isDeck) return <PageView file={view.file} html={value.text} />;
  const { url, filename } = view.file;
  return <Slides fileUrl={url} name={filename} html={value.text} onNoDeck={() => setDeck(false)} />;
}
