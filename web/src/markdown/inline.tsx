import { ImageIcon } from 'lucide-react';
import type { MarkedToken, Token, Tokens } from 'marked';
import { createElement, Fragment, type ReactNode } from 'react';
import { ExternalLink } from '../ui/display/link.tsx';
import { decodeEntities } from './entities.ts';
import { findOtherHost, readSafeLink } from './safe-link.ts';

function Anchor({ link }: { link: Tokens.Link }) {
  const href = readSafeLink(link.href);
  const content = <Inline tokens={link.tokens} />;
  if (href === null) return <span title={link.href}>{content}</span>;
  const host = findOtherHost(link.text, href);
  return (
    <>
      <ExternalLink href={href} title={link.title ?? href}>
        {content}
      </ExternalLink>
      {host !== null && <span className="text-soft"> ({host})</span>}
    </>
  );
}

/** Images in untrusted text are not loaded: they would tell their author who reads it, and when. */
function ImageLink({ image }: { image: Tokens.Image }) {
  const href = readSafeLink(image.href);
  const label = (
    <>
      <ImageIcon aria-hidden className="mr-1 inline size-4" />
      {image.text || image.href}
    </>
  );
  return href === null ? <span>{label}</span> : <ExternalLink href={href}>{label}</ExternalLink>;
}

function renderInline(token: MarkedToken): ReactNode {
  switch (token.type) {
    case 'text':
      return token.tokens ? <Inline tokens={token.tokens} /> : decodeEntities(token.text);
    case 'escape':
      return token.text;
    case 'strong':
    case 'em':
    case 'del':
      return createElement(token.type, null, <Inline tokens={token.tokens} />);
    case 'codespan':
      return <code>{token.text}</code>;
    case 'br':
      return <br />;
    case 'link':
      return <Anchor link={token} />;
    case 'image':
      return <ImageLink image={token} />;
    case 'checkbox':
      return <input type="checkbox" checked={token.checked} disabled aria-label={token.checked ? '☑' : '☐'} />;
    case 'html':
      return /^<br\s*\/?>$/i.test(token.text) ? <br /> : token.text;
    default:
      return token.raw;
  }
}

/** Text within a block: emphasis, code, links. */
export function Inline({ tokens }: { tokens: readonly Token[] }) {
  return tokens.map((token, index) => <Fragment key={index}>{renderInline(token as MarkedToken)}</Fragment>);
}
