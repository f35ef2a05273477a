import { useState } from 'react';
import '../../markdown/markdown.css';
import { useText } from '../../text/locale.ts';

interface JsonBranchProps {
  /** Key of the value in its parent; null for the root. */
  name: string | null;
  value: unknown;
  depth: number;
}

/** How many children are shown at first. */
const step = 100;
const longestText = 2_000;
/** Larger groups start collapsed. */
const mostOpened = 30;
/** Maximum depth: no reader looks deeper, and the page's own nesting is limited. */
const deepest = 100;

const looks: Record<string, string> = {
  string: 'hljs-string',
  number: 'hljs-number',
  boolean: 'hljs-literal',
  object: 'hljs-literal',
};

function showLeaf(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text;
}

function Name({ name }: { name: string | null }) {
  if (name === null) return null;
  return (
    <>
      <span className="hljs-attr">{name}</span>
      <span className="text-soft">: </span>
    </>
  );
}

function Children({ value, depth }: { value: object; depth: number }) {
  const { previews } = useText();
  const [shown, setShown] = useState(step);
  const entries = Object.entries(value as Record<string, unknown>);
  return (
    <div className="ml-2 border-l border-line pl-4">
      {entries.slice(0, shown).map(([name, child]) => (
        <JsonBranch key={name} name={name} value={child} depth={depth + 1} />
      ))}
      {entries.length > shown && (
        <button type="button" className="rounded-sm px-1 text-accent underline" onClick={() => setShown(shown + step * 5)}>
          {previews.showMore(entries.length - shown)}
        </button>
      )}
    </div>
  );
}

/** A value of a tree: a line, or a collapsible group. Collapsed content is not rendered. */
export function JsonBranch({ name, value, depth }: JsonBranchProps) {
  const isGroup = typeof value === 'object' && value !== null && depth < deepest;
  const count = isGroup ? Object.keys(value).length : 0;
  const [isOpen, setOpen] = useState(depth === 0 || (depth < 2 && count <= mostOpened));
  if (!isGroup) {
    return (
      <div className="code pl-4 wrap-anywhere">
        <Name name={name} />
        <span className={looks[typeof value] ?? ''}>{showLeaf(value)}</span>
      </div>
    );
  }
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return (
    <details className="code" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="rounded-sm hover:bg-hover">
        <Name name={name} />
        <span className="text-soft">{isOpen ? open : `${open}${count === 0 ? '' : ` ${count} `}${close}`}</span>
      </summary>
      {isOpen && <Children value={value} depth={depth} />}
    </details>
  );
}
