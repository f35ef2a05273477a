import { memo, useEffect, useState } from 'react';
import { useText } from '../text/locale.ts';
import { CopyButton } from '../ui/feedback/copy-button.tsx';
import { joinClasses } from '../ui/display/class-names.ts';
import type { CodePart } from './highlighted-parts.ts';
import './markdown.css';

/** Longer code stays in one color. Characters. */
const longestHighlighted = 60_000;
/** Code that is still growing is highlighted once it pauses. */
const debounceMs = 120;

function useParts(code: string, language: string): CodePart[] | null {
  const [result, setResult] = useState<{ code: string; parts: CodePart[] | null } | null>(null);
  useEffect(() => {
    if (language === '' || code.length > longestHighlighted) return undefined;
    let isWanted = true;
    const timer = setTimeout(() => {
      void import('./highlighter.ts')
        .then(({ highlight }) => isWanted && setResult({ code, parts: highlight(code, language) }))
        .catch(() => undefined);
    }, debounceMs);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [code, language]);
  return result?.code === code ? result.parts : null;
}

export interface CodeProps {
  code: string;
  /** The language tag of a code block: `ts`, `python`; empty for none. */
  language?: string;
  className?: string;
}

/** Code, highlighted once the highlighter is loaded. */
export const Code = memo(({ code, language = '', className }: CodeProps) => {
  const parts = useParts(code, language.toLowerCase());
  return (
    <code className={joinClasses('code', className)}>
      {parts?.map(({ kind, text }, index) =>
        kind === '' ? (
          text
        ) : (
          <span key={index} className={kind}>
            {text}
          </span>
        ),
      ) ?? code}
    </code>
  );
});
Code.displayName = 'Code';

/** A block of code with its language and a button that copies it. */
export function CodeBlock({ code, language = '' }: CodeProps) {
  const { ui } = useText();
  return (
    <figure className="code-block">
      <figcaption className="flex items-center justify-between py-1 pr-1 pl-3.5 text-xs text-soft">
        {language === '' ? ui.code : language}
        <CopyButton text={code} />
      </figcaption>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard has to reach what scrolls */}
      <pre tabIndex={0}>
        <Code code={code} language={language} />
      </pre>
    </figure>
  );
}
