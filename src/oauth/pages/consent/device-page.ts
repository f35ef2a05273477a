import { newId } from '@errand/base/ids.ts';
import { readUserCode } from '../../../rules/oauth/user-code.ts';
import { oauthLifetimes } from '../../../rules/oauth/oauth-policy.ts';
import { takeAttempt } from '../../../store/accounts/sign-in-attempts.ts';
import { mayUseApp } from '../../../store/oauth/oauth-audience.ts';
import { decideDevice, deviceCode, findDevice, type WaitingDevice } from '../../../store/oauth/oauth-devices.ts';
import { findApp, type OauthApp } from '../../../store/oauth/oauth-apps.ts';
import { type ConnectorChoice, findChoice, readChoice, renderChoice } from '../connectors/connector-choice.ts';
import { renderPowers } from './consent-page.ts';
import { html, type Html } from '../layout/html.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { Visitor } from '../session/session-service.ts';
import {
  type Action,
  actorOfVisitor,
  answerSignedIn,
  beginForm,
  buildSignedInPage,
  type Notice,
  type SignedInPage,
} from '../session/signed-in-page.ts';
import type { Texts } from '../layout/page-texts-en.ts';
import type { PageParts } from '../../request/web-request.ts';

const path = '/device';
const unknown: Notice = { problem: ({ device }) => device.unknown };

/** How many codes a user may try; the code space is too large to guess one at this rate. */
const codePace = { count: 20, windowMs: 15 * 60 * 1000 };

interface Found {
  userCode: string;
  device: WaitingDevice;
  app: OauthApp;
  choice: ConnectorChoice | null;
}

function renderCodeForm({ device: words }: Texts, visitor: Visitor, userCode: string): Html {
  return html`<div class="card">${beginForm(visitor, path, 'find')}
<label for="user_code">${words.code} <span class="hint">${words.codeHint}</span></label>
<input id="user_code" name="user_code" required autocomplete="off" autocapitalize="characters" maxlength="20" value="${userCode}">
<div class="row"><button>${words.continue}</button></div></form></div>`;
}

function renderQuestion(texts: Texts, visitor: Visitor, { userCode, device, app, choice }: Found): Html {
  const { device: words, consent } = texts;
  return html`<div class="card"><p>${words.asks(html`<strong>${app.name}</strong>`, html`<code>${userCode}</code>`)}</p>
${renderPowers(texts, app.kind, device.scopes)}<p class="small soft">${words.beware}</p>
${beginForm(visitor, path, 'decide')}<input type="hidden" name="user_code" value="${userCode}">${renderChoice(texts, choice)}
<div class="row"><button name="decision" value="allow">${consent.allow}</button><button class="plain" name="decision" value="deny">${consent.deny}</button></div></form></div>`;
}

/** The page for entering a device code and granting the device access (RFC 8628). */
export function buildDevicePage(parts: PageParts): SignedInPage {
  const { database, clock } = parts;
  const search = async (visitor: Visitor, typed: string): Promise<Found | null> => {
    const userCode = readUserCode(typed);
    const attempt = { name: `user code ${visitor.accountId}`, ...codePace };
    if (userCode === null || (await database.run(takeAttempt, [attempt])) > 0) return null;
    const device = await database.run(findDevice, { userCode, now: clock.now() });
    const app = device && (await database.run(findApp, device.clientId));
    if (!app || !(await database.run(mayUseApp, { accountId: visitor.accountId, clientId: app.clientId }))) return null;
    return { userCode, device, app, choice: await findChoice(parts, visitor.accountId, app, device.scopes) };
  };
  const decide: Action = async (visitor, { fields }) => {
    const found = await search(visitor, fields.user_code ?? '');
    if (!found) return unknown;
    const { userCode, device, app, choice } = found;
    const now = clock.now();
    const grant = {
      accountId: visitor.accountId,
      grantId: newId(now),
      clientId: app.clientId,
      scopes: device.scopes,
      connectors: readChoice(choice, fields),
      appRevision: app.revision,
      appName: app.name,
      actor: actorOfVisitor(visitor),
      code: { digest: device.digest, ...deviceCode },
      now,
      expiresAtMs: now + oauthLifetimes.deviceCodeMs,
    };
    const isAllowed = fields.decision === 'allow';
    if (!(await database.run(decideDevice, { userCode, now, grant: isAllowed ? grant : null }))) return unknown;
    return { done: ({ device: words }) => (isAllowed ? words.connected(app.name) : words.refused(app.name)) };
  };
  const find: Action = async (visitor, { fields }) => ((await search(visitor, fields.user_code ?? '')) ? null : unknown);
  const show = async (visitor: Visitor, { fields, query, texts }: PageRequest, notice: Notice) => {
    const found = notice === null && fields.action === 'find' ? await search(visitor, fields.user_code ?? '') : null;
    const typed = notice === null ? (query.user_code ?? '') : '';
    const body = found ? renderQuestion(texts, visitor, found) : renderCodeForm(texts, visitor, typed);
    return answerSignedIn(visitor, { texts, title: texts.device.title, notice, body });
  };
  return buildSignedInPage(parts, show, { find, decide });
}
