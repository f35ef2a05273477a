import type { MarkedToken, Token, Tokens } from 'marked';
import { createElement, Fragment, type ReactNode } from 'react';
import { CodeBlock } from './code-block.tsx';
import { Inline } from './inline.tsx';

function List({ list }: { list: Tokens.List }) {
  const items = list.items.map((item, index) => (
    <li key={index} className={item.task ? 'task-item' : undefined}>
      <Blocks tokens={item.tokens} />
    </li>
  ));
  if (!list.ordered) return <ul>{items}</ul>;
  return <ol {...(typeof list.start === 'number' && { start: list.start })}>{items}</ol>;
}

const alignments = { left: 'text-left', center: 'text-center', right: 'text-right' };

function Cell({ cell }: { cell: Tokens.TableCell }) {
  const className = cell.align === null ? undefined : alignments[cell.align];
  const content = <Inline tokens={cell.tokens} />;
  return cell.header ? <th className={className}>{content}</th> : <td className={className}>{content}</td>;
}

function Row({ cells }: { cells: readonly Tokens.TableCell[] }) {
  return (
    <tr>
      {cells.map((cell, index) => (
        <Cell key={index} cell={cell} />
      ))}
    </tr>
  );
}

function Table({ table }: { table: Tokens.Table }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard has to reach what scrolls
    <section className="table-frame" aria-label={table.header.map((cell) => cell.text).join(', ')} tabIndex={0}>
      <table>
        <thead>
          <Row cells={table.header} />
        </thead>
        <tbody>
          {table.rows.map((cells, index) => (
            <Row key={index} cells={cells} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Headings in a text rank below those of the page. */
function Heading({ heading }: { heading: Tokens.Heading }) {
  return createElement(`h${Math.min(6, heading.depth + 2)}`, { 'data-depth': heading.depth }, <Inline tokens={heading.tokens} />);
}

function renderBlock(token: MarkedToken): ReactNode {
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading':
      return <Heading heading={token} />;
    case 'code':
      return <CodeBlock code={token.text} language={token.lang?.split(/\s/)[0] ?? ''} />;
    case 'blockquote':
      return (
        <blockquote>
          <Blocks tokens={token.tokens} />
        </blockquote>
      );
    case 'list':
      return <List list={token} />;
    case 'table':
      return <Table table={token} />;
    case 'hr':
      return <hr />;
    case 'html':
      return <p className="whitespace-pre-wrap">{token.text.trim()}</p>;
    case 'paragraph':
      return (
        <p>
          <Inline tokens={token.tokens} />
        </p>
      );
    default:
      return <Inline tokens={[token]} />;
  }
}

/** Blocks of a text: paragraphs, lists, tables, code. */
export function Blocks({ tokens }: { tokens: readonly Token[] }) {
  return tokens.map((token, index) => <Fragment key={index}>{renderBlock(token as MarkedToken)}</Fragment>);
}
