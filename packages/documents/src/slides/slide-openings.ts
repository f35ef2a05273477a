import { cleanLine } from '../clean-text.ts';
import { readInline } from '../content/markdown.ts';
import { type Element, type Frame, slideSize } from './deck-scene.ts';
import { fitText, margin, needField, plainParagraph, type SlideParts } from './slide-parts.ts';

export function layOpening(parts: SlideParts): Element[] {
  const { slide, theme, deck } = parts;
  const frame: Frame = { x: margin + 24, y: 190, width: 980, height: 220 };
  const title = fitText(parts, frame, [plainParagraph(slide.title || deck.title, 68, theme.strong, true)], 'title', 30);
  const byline = [deck.author, deck.date]
    .map(cleanLine)
    .filter((part) => part !== '')
    .join(' · ');
  const under: Frame = { x: margin + 24, y: 432, width: 980, height: 90 };
  const subtitle = slide.subtitle ?? slide.text ?? '';
  return [
    { kind: 'box', frame: { x: 0, y: 0, width: 20, height: slideSize.height }, fill: theme.accent },
    { kind: 'text', frame, paragraphs: title, anchor: 'bottom', isTitle: true },
    ...(subtitle === ''
      ? []
      : [
          {
            kind: 'text' as const,
            frame: under,
            paragraphs: fitText(parts, under, [plainParagraph(subtitle, 30, theme.muted)], 'subtitle'),
          },
        ]),
    ...(byline === ''
      ? []
      : [
          {
            kind: 'text' as const,
            frame: { x: margin + 24, y: 600, width: 980, height: 40 },
            paragraphs: [plainParagraph(byline, 20, theme.muted)],
          },
        ]),
  ];
}

export function laySection(parts: SlideParts): Element[] {
  const { slide, theme } = parts;
  const frame: Frame = { x: margin + 24, y: 230, width: 1040, height: 180 };
  const under: Frame = { x: margin + 24, y: 440, width: 1040, height: 90 };
  const title = fitText(parts, frame, [plainParagraph(slide.title, 58, theme.onSection, true)], 'title', 28);
  const subtitle = slide.subtitle ?? slide.text ?? '';
  return [
    { kind: 'text', frame, paragraphs: title, anchor: 'bottom', isTitle: true },
    {
      kind: 'box',
      frame: { x: margin + 24, y: 420, width: 88, height: 6 },
      fill: theme.accent === theme.section ? theme.onSection : theme.accent,
    },
    ...(subtitle === ''
      ? []
      : [
          {
            kind: 'text' as const,
            frame: { ...under, y: 446 },
            paragraphs: fitText(parts, under, [plainParagraph(subtitle, 26, theme.onSection)], 'subtitle'),
          },
        ]),
  ];
}

export function layQuote(parts: SlideParts): Element[] {
  const { slide, theme } = parts;
  const words = readInline(needField(parts, 'text', slide.text));
  const frame: Frame = { x: 180, y: 150, width: 920, height: 420 };
  const by = slide.by === undefined ? [] : [{ ...plainParagraph(`— ${slide.by}`, 25, theme.muted), spaceBefore: 34 }];
  const quote = fitText(parts, frame, [{ runs: words, size: 44, color: theme.strong, isItalic: true }, ...by], 'text', 17);
  return [
    {
      kind: 'text',
      frame: { x: 80, y: 110, width: 110, height: 200 },
      paragraphs: [plainParagraph('“', 150, theme.accent, true)],
    },
    { kind: 'text', frame, paragraphs: quote, anchor: 'middle', isTitle: true },
  ];
}
