import type { Scope } from '../../../rules/accounts/access.ts';
import type { AuthorizeRequest } from '../../../rules/oauth/oauth-policy.ts';
import type { OauthApp } from '../../../store/oauth/oauth-apps.ts';
import { type ConnectorChoice, renderChoice } from '../connectors/connector-choice.ts';
import { html, type Html } from '../layout/html.ts';
import { answerPage } from '../layout/page-layout.ts';
import type { Visitor } from '../session/session-service.ts';
import type { Texts } from '../layout/page-texts-en.ts';
import type { WebAnswer } from '../../request/web-request.ts';

/** The target of a URL: its origin, or its scheme when it is a custom one. */
function placeOf(redirectUri: string): string {
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(redirectUri)?.[0] ?? '';
  return /^https?:$/i.test(scheme) ? new URL(redirectUri).origin : scheme;
}

/** The form target in the syntax of a content security policy, which cannot express IPv6 addresses. */
export function formTargetOf(redirectUri: string): string {
  const place = placeOf(redirectUri);
  return place.includes('[') ? place.slice(0, place.indexOf(':') + 1) : place;
}

/** Describes the redirect target to the user: the host, or the program registered for the scheme. */
function describeTarget({ consent }: Texts, redirectUri: string): Html {
  const target = placeOf(redirectUri);
  const place = html`<code>${target}</code>`;
  return target.endsWith(':') ? consent.program(place) : place;
}

/** The permissions of an app, as a list. */
export function renderPowers({ consent }: Texts, kind: OauthApp['kind'], scopes: readonly Scope[]): Html {
  const powers = kind === 'team' ? scopes.map((scope) => consent.scopes[scope]) : [consent.everything];
  return html`<ul class="plain">${powers.map((power) => html`<li>${power}</li>`)}</ul>`;
}

export interface ConsentQuestion {
  texts: Texts;
  app: OauthApp;
  request: AuthorizeRequest;
  visitor: Visitor;
  /** The query of the request, which the form resubmits. */
  queryText: string;
  action: string;
  /** The connectors to choose from, if the app asks for any. */
  choice: ConnectorChoice | null;
}

/** The page on which the user grants or denies an app access. */
export function askConsent({ texts, app, request, visitor, queryText, action, choice }: ConsentQuestion): WebAnswer {
  const { name, homepage, kind } = app;
  const { consent } = texts;
  const site = homepage !== null && html`<a href="${homepage}" rel="noreferrer nofollow">${new URL(homepage).host}</a>`;
  const body = html`<div class="card"><h1>${consent.heading(name)}</h1>
<p class="soft">${consent.signedInAs(visitor.email)}</p>
<p>${consent.asks(html`<strong>${name}</strong>`, site)}</p>
${renderPowers(texts, kind, request.scopes)}
<form method="post" action="${action}"><input type="hidden" name="form_token" value="${visitor.formToken}">
<input type="hidden" name="request" value="${queryText}">${renderChoice(texts, choice)}
<p class="small soft">${consent.sentTo(describeTarget(texts, request.redirectUri))}</p>
<div class="row"><button name="decision" value="allow">${consent.allow}</button><button class="plain" name="decision" value="deny">${consent.deny}</button></div></form></div>`;
  return answerPage({ texts, title: consent.title(name), body, formTarget: formTargetOf(request.redirectUri) });
}

/** Shown when the app is not available to the account; the form returns to the app with that error. */
export function renderNotForYou({ texts, app, request, visitor, queryText, action }: Omit<ConsentQuestion, 'choice'>): WebAnswer {
  const { consent } = texts;
  const body = html`<div class="card"><h1>${consent.notForYou(app.name)}</h1>
<p>${consent.notForYouBody(visitor.email)}</p>
<form method="post" action="${action}"><input type="hidden" name="form_token" value="${visitor.formToken}">
<input type="hidden" name="request" value="${queryText}">
<div class="row"><button class="plain" name="decision" value="deny">${consent.back}</button></div></form></div>`;
  return answerPage({ texts, title: consent.notForYouTitle, body, status: 403, formTarget: formTargetOf(request.redirectUri) });
}
