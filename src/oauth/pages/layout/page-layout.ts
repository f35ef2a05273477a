import { html, Html, type Fragment } from './html.ts';
import { hashOf, plainStyle, style } from './page-style.ts';
import type { Texts } from './page-texts-en.ts';
import { typefaceUrl } from './typeface.ts';
import type { WebAnswer } from '../../request/web-request.ts';

export interface Page {
  texts: Texts;
  title: string;
  body: Html;
  status?: number;
  /** Where forms may redirect besides this service: the URL of the app waiting for the response. */
  formTarget?: string;
  /** CSP hash of the only script that may run on the page; without it, no script runs. */
  scriptHash?: string;
  /** The token of the sign-out form; absent on public pages. */
  signedIn?: { formToken: string };
  /** Whether the origin of the page has the file of the typeface, by default. */
  hasTypeface?: boolean;
  headers?: Record<string, string | string[]>;
}

/** What a page may do that pages may not by default. */
interface Allowed {
  formTarget?: string | undefined;
  scriptHash?: string | undefined;
  /** The style sheet of the page, if it is not the one of most. */
  sheet?: string;
  hasTypeface?: boolean;
}

function policy({ formTarget, scriptHash, sheet = style, hasTypeface = true }: Allowed): string {
  const forms = formTarget === undefined ? "'self'" : `'self' ${formTarget}`;
  return [
    "default-src 'none'",
    ...(scriptHash === undefined ? [] : [`script-src '${scriptHash}'`]),
    `style-src '${hashOf(sheet)}'`,
    ...(hasTypeface ? ["font-src 'self'"] : []),
    `form-action ${forms}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The name of the service with its mark, as in the icon of the web application. */
export const nameMark = html`<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8"/><path d="M22 10H12.5a2.5 2.5 0 0 0-2.5 2.5v7a2.5 2.5 0 0 0 2.5 2.5H22M10.5 16H20" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/></svg>Errand`;

/** Loads the typeface along with the page, so that its first picture has it already. */
export const typefaceLink = html`<link rel="preload" as="font" type="font/woff2" crossorigin href="${typefaceUrl}">`;

/** Headers of every page: no caching, no frames, no scripts except a named one, and no referrer to other sites. */
export function pageHeaders(allowed: Allowed = {}): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': policy(allowed),
    'cross-origin-opener-policy': 'same-origin',
    // Not no-referrer: browsers would then hide the origin of a form from us, too.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };
}

function renderBar({ page }: Texts, { formToken }: { formToken: string }): Html {
  return html`<header><div class="bar"><a class="brand" href="/">${nameMark}</a>
<form method="post" action="/sign-out"><input type="hidden" name="form_token" value="${formToken}"><button class="link">${page.signOut}</button></form></div></header>`;
}

export function answerPage({
  texts,
  title,
  body,
  status = 200,
  formTarget,
  scriptHash,
  signedIn,
  hasTypeface = true,
  headers = {},
}: Page): WebAnswer {
  const sheet = hasTypeface ? style : plainStyle;
  const page = html`<!doctype html>
<html lang="${texts.tag}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Errand</title>${hasTypeface && typefaceLink}<style>${new Html(sheet)}</style></head>
<body><a class="skip" href="#main">${texts.page.skip}</a>${signedIn && renderBar(texts, signedIn)}
<main id="main" class="${signedIn ? 'form' : 'narrow'}">${!signedIn && html`<p class="mark">${nameMark}</p>`}${body}</main></body></html>
`;
  return {
    status,
    headers: { ...pageHeaders({ formTarget, scriptHash, sheet, hasTypeface }), vary: 'accept-language, cookie', ...headers },
    body: page.text,
  };
}

/** Redirects with a GET, whatever the request was. */
export function redirect(location: string, headers: Record<string, string | string[]> = {}): WebAnswer {
  return { status: 303, headers: { ...pageHeaders(), ...headers, location }, body: '' };
}

/** A message box; screen readers announce errors right away. */
export function renderNote(kind: 'wrong' | 'fine', message: Fragment): Html {
  return kind === 'wrong'
    ? html`<p class="note wrong" role="alert">${message}</p>`
    : html`<p class="note" role="status">${message}</p>`;
}

export interface Problem {
  status: number;
  title: string;
  problem: string;
  /** The API's own sentence, where its language differs. */
  inEnglish?: string | false;
  requestId?: string | false;
  /** Whether the page leads to the home page, by default; the content origin has neither that nor the typeface. */
  hasHome?: boolean;
}

/** The drawing of empty pages, as in the web application. */
const sheets = html`<svg class="sheets" viewBox="0 0 144 96" aria-hidden="true"><ellipse class="ground" cx="72" cy="90" rx="54" ry="4"/><path transform="rotate(-9 48 50)" d="M30 20h36a5 5 0 0 1 5 5v50a5 5 0 0 1-5 5H30a5 5 0 0 1-5-5V25a5 5 0 0 1 5-5zM33 32h14M33 42h8"/><path transform="rotate(8 96 50)" d="M78 16h36a5 5 0 0 1 5 5v54a5 5 0 0 1-5 5H78a5 5 0 0 1-5-5V21a5 5 0 0 1 5-5zM98 28h13M104 38h7"/><circle cx="72" cy="52" r="24"/><path class="sparks" d="M66 46l12 12M78 46l-12 12M14 30v8M10 34h8M131 60v6M128 63h6M60 10v4M58 12h4"/></svg>`;

/** A page that explains a problem and leads to the home page, if there is one. */
export function answerProblem(
  texts: Texts,
  { status, title, problem, inEnglish, requestId, hasHome = true }: Problem,
): WebAnswer {
  const original = inEnglish && html`<p class="soft small" lang="en">${inEnglish}</p>`;
  const reference = requestId && html`<p class="soft small">${texts.page.reference} <code>${requestId}</code></p>`;
  const home = hasHome && html`<p><a class="button" href="/">${texts.page.toFirst}</a></p>`;
  const isMissing = status === 404;
  const body = html`<div class="card${isMissing && ' missing'}">${isMissing && sheets}<h1>${title}</h1><p>${problem}</p>${original}${reference}${home}</div>`;
  return answerPage({ texts, title, body, status, hasTypeface: hasHome });
}
