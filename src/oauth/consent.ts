import type { Scope } from '../rules/access.ts';
import type { AuthorizeRequest } from '../rules/oauth-policy.ts';
import { scopeSentences } from '../rules/oauth-scopes.ts';
import type { OauthApp } from '../store/oauth-apps.ts';
import { type ConnectorChoice, renderChoice } from './connector-choice.ts';
import { html, type Html } from './html.ts';
import { answerPage } from './page.ts';
import type { Visitor } from './session-desk.ts';
import type { WebAnswer } from './web-request.ts';

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
function describeTarget(redirectUri: string): Html {
  const target = placeOf(redirectUri);
  return target.endsWith(':')
    ? html`the program on your device that opens <code>${target}</code> addresses`
    : html`<code>${target}</code>`;
}

/** What an application may do, in words. */
export function renderPowers(kind: OauthApp['kind'], scopes: readonly Scope[]): Html {
  if (kind !== 'team') {
    return html`<ul class="plain"><li><strong>Everything you can do here</strong>: read and change all of your tasks, projects, files, agents and websites. It is a trusted application and is not limited to single permissions.</li></ul>`;
  }
  return html`<ul class="plain">${scopes.map((scope) => html`<li>${scopeSentences[scope]}</li>`)}</ul>`;
}

export interface ConsentQuestion {
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
export function askConsent({ app, request, visitor, queryText, action, choice }: ConsentQuestion): WebAnswer {
  const { name, homepage, kind } = app;
  const body = html`<div class="card"><h1>Connect ${name}?</h1>
<p class="soft">You are signed in as ${visitor.email}.</p>
<p><strong>${name}</strong>${homepage !== null && html` (<a href="${homepage}" rel="noreferrer nofollow">${new URL(homepage).host}</a>)`} asks to be allowed to:</p>
${renderPowers(kind, request.scopes)}
<form method="post" action="${action}"><input type="hidden" name="form_token" value="${visitor.formToken}">
<input type="hidden" name="request" value="${queryText}">${renderChoice(choice)}
<p class="small soft">You will be sent to ${describeTarget(request.redirectUri)}. You can end this at any time under <em>Connected apps</em>.</p>
<div class="row"><button name="decision" value="allow">Allow</button><button class="plain" name="decision" value="deny">Do not allow</button></div></form></div>`;
  return answerPage({ title: `Connect ${name}`, body, formTarget: formTargetOf(request.redirectUri) });
}

/** For somebody whom the application is not for; the form takes them back to it with that answer. */
export function tellNotForYou({ app, request, visitor, queryText, action }: Omit<ConsentQuestion, 'choice'>): WebAnswer {
  const body = html`<div class="card"><h1>${app.name} is not for this account</h1>
<p>It is an application of another team. You are signed in as ${visitor.email}.</p>
<form method="post" action="${action}"><input type="hidden" name="form_token" value="${visitor.formToken}">
<input type="hidden" name="request" value="${queryText}">
<div class="row"><button class="plain" name="decision" value="deny">Back to the application</button></div></form></div>`;
  return answerPage({ title: 'Not for this account', body, status: 403, formTarget: formTargetOf(request.redirectUri) });
}
