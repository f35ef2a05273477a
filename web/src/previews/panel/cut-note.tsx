import { useText } from '../../text/locale.ts';

/** Says that what is shown is only the beginning. */
export function CutNote() {
  const { previews } = useText();
  return <p className="shrink-0 border-b border-line bg-warn-soft px-4 py-2 text-sm text-warn">{previews.cut}</p>;
}
