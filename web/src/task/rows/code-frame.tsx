import { Code } from '../../markdown/code-block.tsx';
import { joinClasses } from '../../ui/display/class-names.ts';

interface CodeFrameProps {
  label: string;
  code: string;
  language: string;
  className: string;
}

/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- the keyboard has to reach what scrolls */

/** Code or output in a frame that scrolls. */
export function CodeFrame({ label, code, language, className }: CodeFrameProps) {
  const classes = joinClasses('overflow-auto px-3 py-2 -outline-offset-2', className);
  return (
    <pre tabIndex={0} role="group" aria-label={label} className={classes}>
      <Code code={code} language={language} />
    </pre>
  );
}
