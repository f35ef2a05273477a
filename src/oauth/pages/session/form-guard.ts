import { createHash, timingSafeEqual } from 'node:crypto';
import { PageFault } from '../layout/page-fault.ts';
import { mayComeFromUs } from '../../request/same-origin.ts';
import type { WebRequest } from '../../request/web-request.ts';

/** The token that proves a form is ours: derived from the cookie's secret, which other sites cannot read. */
export function formTokenOf(cookieSecret: string): string {
  return createHash('sha256').update(`form ${cookieSecret}`).digest('base64url');
}

function isEqual(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Throws 403 `permission_denied` unless we issued the form for this cookie. */
export function checkForm(request: WebRequest, cookieSecret: string | null, publicUrl: string): void {
  const token = request.fields.form_token ?? '';
  if (cookieSecret !== null && mayComeFromUs(request.headers, publicUrl) && isEqual(token, formTokenOf(cookieSecret))) return;
  throw new PageFault('permission_denied', ({ fault }) => fault.formExpired);
}
