import { hash } from 'node:crypto';
import { invalidField } from '@errand/base/fault.ts';

const sealLength = 12;

function sealOf(query: readonly unknown[], position: string): string {
  return hash('sha256', JSON.stringify([...query, position]), 'base64url').slice(0, sealLength);
}

/**
 * A position in a list as opaque text. It is valid for this query only: the next page needs the same parameters. The seal detects mistakes
 * and protects nothing: the query reaches the same data without a cursor.
 */
export function sealCursor(query: readonly unknown[], position: string): string {
  return Buffer.from(sealOf(query, position) + position).toString('base64url');
}

/** The position in a cursor of `sealCursor`, or 400 for any other text. */
export function openCursor(query: readonly unknown[], cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const position = text.slice(sealLength);
  if (sealCursor(query, position) !== cursor) {
    throw invalidField('cursor', 'does not belong to this query; repeat the query that gave it, or start without a cursor');
  }
  return position;
}
