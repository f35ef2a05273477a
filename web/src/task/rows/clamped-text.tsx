import { useState } from 'react';
import { useText } from '../../text/locale.ts';

const longestText = 1_500;
const shownText = 900;

/** Plain text. Long text is collapsed at first. */
export function ClampedText({ text }: { text: string }) {
  const { ui } = useText();
  const [isWhole, setWhole] = useState(text.length <= longestText);
  return (
    <div dir="auto" className="whitespace-pre-wrap wrap-anywhere">
      {isWhole ? text : `${text.slice(0, shownText).toWellFormed()}…`}
      {!isWhole && (
        <button type="button" className="mt-1 block text-sm text-accent underline" onClick={() => setWhole(true)}>
          {ui.loadMore}
        </button>
      )}
    </div>
  );
}
