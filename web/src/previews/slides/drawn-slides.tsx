import { useText } from '../../text/locale.ts';
import { PreviewLoading } from '../preview-loading.tsx';
import { PreviewProblem } from '../preview-problem.tsx';
import type { PreviewViewProps } from '../preview-view.ts';
import { startTrustedWorker } from '../trusted-worker.ts';
import { useFile } from '../use-file.ts';
import { callWorker } from '../worker-call.ts';
import { DrawnSlideView } from './drawn-slide.tsx';
import type { Presentation } from './presentation.ts';
// oxlint-disable-next-line import/default -- the build answers with the address of the file
import workerUrl from './presentation-worker.ts?worker&url';
import { SlideDeck } from './slide-deck.tsx';
import { useSlides } from './use-slides.ts';

const maxBytes = 50_000_000;
const timeoutMs = 15_000;

const startWorker = () => startTrustedWorker(workerUrl);

/** A presentation by its words and pictures, where nothing can draw it as it is. Read in a worker that is ended when it takes too long. */
export function DrawnSlides(view: PreviewViewProps) {
  const { previews } = useText();
  const { value, error } = useFile('presentation', view.file, { maxBytes }, (bytes, _isCut, signal) =>
    callWorker<Presentation>(startWorker, bytes, { timeoutMs, signal, transfer: [bytes.buffer] }),
  );
  const turns = useSlides(value?.slides.length ?? 0);
  if (error) return <PreviewProblem {...view} error={error} />;
  if (!value) return <PreviewLoading />;
  const draw = (slide: number, width: number) => <DrawnSlideView slide={value.slides[slide]} size={value} width={width} />;
  return (
    <>
      <p className="shrink-0 border-b border-line px-4 py-2 text-sm text-soft">{previews.wordsOnly}</p>
      <SlideDeck
        name={view.file.filename}
        turns={turns}
        outline={value.slides}
        ratio={value.width / value.height}
        drawSlide={draw}
        drawThumbnail={draw}
      />
    </>
  );
}
