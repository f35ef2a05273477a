import { marked, type Token, type TokensList } from 'marked';
import { memo, useMemo } from 'react';
import { Blocks } from './blocks.tsx';
import { joinClasses } from '../ui/display/class-names.ts';
import './markdown.css';

/** Longer text is shown as plain text: nobody reads it, and laying it out would freeze the page. Characters. */
const longestText = 400_000;

interface BlockProps {
  token: Token;
  /** Source of the block; blocks with the same source render identically. */
  raw: string;
}

/** A block is only rerendered when its source changes: in growing text, that is the last one. */
const Block = memo(
  ({ token }: BlockProps) => <Blocks tokens={[token]} />,
  (before, after) => before.raw === after.raw,
);
Block.displayName = 'Block';

function readTokens(text: string, breaks: boolean): TokensList | null {
  try {
    return marked.lexer(text, { gfm: true, breaks });
  } catch {
    // Nesting that the parser rejects.
    return null;
  }
}

export interface MarkdownProps {
  text: string;
  /** Whether line breaks are kept, as in messages, or only wrap, as in documents. */
  keepsLines?: boolean;
  className?: string;
}

/**
 * Renders Markdown written by users or models. It is never turned into HTML: its parts become elements one by one, HTML in it is shown
 * literally, images are links, and links only lead to web and mail addresses.
 */
export function Markdown({ text, keepsLines = true, className }: MarkdownProps) {
  const tokens = useMemo(() => (text.length > longestText ? null : readTokens(text, keepsLines)), [text, keepsLines]);
  if (tokens === null) return <pre className={joinClasses('whitespace-pre-wrap wrap-anywhere', className)}>{text}</pre>;
  const linkSources = Object.values(tokens.links).map((link) => `${link.href} ${link.title}`);
  return (
    <div className={joinClasses('markdown', className)}>
      {tokens.map((token, index) => (
        <Block key={index} token={token} raw={[token.raw, ...linkSources].join('\n')} />
      ))}
    </div>
  );
}
