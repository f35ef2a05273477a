import type { DrawnParagraph, DrawnShape, DrawnSlide } from './presentation.ts';

const anchors = { top: 'flex-start', middle: 'center', bottom: 'flex-end' };

function Paragraph({ paragraph, size, scale }: { paragraph: DrawnParagraph; size: number; scale: number }) {
  const { runs, align, level, hasBullet } = paragraph;
  const isFilled = runs.some(({ text }) => text !== '');
  const indent = (level * 1.2 + (hasBullet ? 1 : 0)) * size * scale;
  return (
    <p
      dir="auto"
      className="whitespace-pre-wrap"
      style={{ textAlign: align, paddingInlineStart: indent, minHeight: size * scale }}
    >
      {hasBullet && isFilled && (
        <span style={{ display: 'inline-block', width: size * scale, marginInlineStart: -size * scale }}>•</span>
      )}
      {runs.map((run, index) => (
        <span
          key={index}
          style={{
            ...(run.size !== null && { fontSize: run.size * scale }),
            ...(run.color !== null && { color: run.color }),
            fontWeight: run.isBold ? 700 : 400,
            fontStyle: run.isItalic ? 'italic' : 'normal',
          }}
        >
          {run.text}
        </span>
      ))}
    </p>
  );
}

function Shape({ shape, scale }: { shape: DrawnShape; scale: number }) {
  const { x, y, width, height, fill, paragraphs, size, picture, anchor } = shape;
  const box = { left: x * scale, top: y * scale, width: width * scale, height: height * scale };
  if (picture !== null) return <img src={picture} alt="" className="absolute object-fill" style={box} />;
  return (
    <div
      className="absolute flex flex-col overflow-hidden"
      style={{
        ...box,
        justifyContent: anchors[anchor],
        padding: `${4 * scale}px ${7 * scale}px`,
        fontSize: size * scale,
        lineHeight: 1.2,
        ...(fill !== null && { backgroundColor: fill }),
      }}
    >
      {paragraphs.map((paragraph, index) => (
        <Paragraph key={index} paragraph={paragraph} size={size} scale={scale} />
      ))}
    </div>
  );
}

interface DrawnSlideViewProps {
  slide: DrawnSlide | undefined;
  /** Size of a slide in points. */
  size: { width: number; height: number };
  /** Width in which the slide is shown, in pixels. */
  width: number;
}

/** The text and pictures of a slide at their positions. */
export function DrawnSlideView({ slide, size, width }: DrawnSlideViewProps) {
  const scale = width / size.width;
  return (
    <div
      className="relative overflow-hidden text-[#222]"
      style={{ width, height: size.height * scale, backgroundColor: slide?.background ?? '#ffffff' }}
    >
      {slide?.shapes.map((shape, index) => (
        <Shape key={index} shape={shape} scale={scale} />
      ))}
    </div>
  );
}
