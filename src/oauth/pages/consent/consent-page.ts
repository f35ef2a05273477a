import type { Scope } from '../../../rules/accounts/access.ts';
import type { AuthorizeRequest } from '../../../rules/oauth/oauth-policy.ts';
import type { OauthApp } from '../../../store/oauth/oauth-apps.ts';
import { type ConnectorChoice, renderChoice } from '../connectors/connector-choice.ts';
import { html, type Html } from '../layout/html.ts';
import { answerPage } from '../layout/page-layout.ts';
import type { Visitor } from '../session/session-service.ts';
import type { Texts } from '../layout/page-texts-en.ts';
import type { WebAnswer } from '../../request/web-request.ts';

/** Where an address leads: its origin, or its scheme when that is one of an application's own. */
function placeOf(redirectUri: string): string {
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(redirectUri)?.[0] ?? '';
  return /^https?:$/i.test(scheme) ? new URL(redirectUri).origin : scheme;
}

/** What a content security policy calls the place that a form may lead to. It has no words for IPv6 addresses. */
export function formTargetOf(redirectUri: string): string {
  const place = placeOf(redirectUri);
  return place.includes('[') ? place.slice(0, place.indexOf(':') + 1) : place;
}

/** What people are told of where they will be sent: the host, or the program that has the scheme. */
function describeTarget({ consent }: Texts, redirectUri: string): Html {
  const target = placeOf(redirectUri);
  const place = html`<code>${target}</code>`;
  return target.endsWith(':') ? consent.program(place) : place;
}

/** What an application may do, in words. */
export function renderPowers({ consent }: Texts, kind: OauthApp['kind'], scopes: readonly Scope[]): Html {
  const powers = kind === 'team' ? scopes.map((scope) => consent.scopes[scope]) : [consent.everything];
  return html`<ul class="plain">${powers.map((power) => html`<li>${power}</li>`)}</ul>`;
}

export interface ConsentQuestion {
  texts: Texts;
  app: OauthApp;
  request: AuthorizeRequest;
  visitor: Visitor;
  /** The query of the request, which the form brings back. */
  queryText: string;
  action: string;
  /** The connectors that it may use, where that is a question. */
  choice: ConnectorChoice | null;
}

/** The page on which somebody decides what an application may do. */
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

/** For somebody whom the application is not for; the form takes them back to it with that answer. */
export function renderNotForYou({ texts, app, request, visitor, queryText, action }: Omit<ConsentQuestion, 'choice'>): WebAnswer {
  const { consent } = texts;
  const body = html`<div class="card"><h1>${consent.notForYou(app.name)}</h1>
<p>${consent.notForYouBody(visitor.email)}</p>
<form method="post" action="${action}"><input type="hidden" name="form_token" value="${visitor.formToken}">
<input type="hidden" name="request" value="${queryText}">
<div class="row"><button class="plain" name="decision" value="deny">${consent.back}</button></div></form></div>`;
  return answerPage({ texts, title: consent.notForYouTitle, body, status: 403, formTarget: formTargetOf(request.redirectUri) });
}
