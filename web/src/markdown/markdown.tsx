import { marked, type Token, type TokensList } from 'marked';
import { memo, useMemo } from 'react';
import { Blocks } from './blocks.tsx';
import { joinClasses } from '../ui/display/class-names.ts';
import './markdown.css';

/** What is longer is shown as plain text: nobody reads it, and laying it out would freeze the page. Characters. */
const longestText = 400_000;

interface BlockProps {
  token: Token;
  /** Its source: two blocks of the same source look the same. */
  raw: string;
}

/** A block is drawn again only when its source changes: of a growing text, that is the last one. */
const Block = memo(
  ({ token }: BlockProps) => <Blocks tokens={[token]} />,
  (before, after) => before.raw === after.raw,
);
Block.displayName = 'Block';

function readTokens(text: string, breaks: boolean): TokensList | null {
  try {
    return marked.lexer(text, { gfm: true, breaks });
  } catch {
    // Nesting that the parser refuses.
    return null;
  }
}

export interface MarkdownProps {
  text: string;
  /** Whether a line ends where it was ended, as in messages, or only at the margin, as in documents. */
  keepsLines?: boolean;
  className?: string;
}

/**
 * Text that somebody or a model wrote, with its marks. It is never turned into HTML: its parts become elements of the page one by
 * one, HTML in it is shown as it is written, images are links, and links lead only to web and mail addresses.
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
