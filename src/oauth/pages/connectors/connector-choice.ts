import type { Scope } from '../../../rules/accounts/access.ts';
import { findGrantedConnectors } from '../../../store/oauth/granted-connectors.ts';
import { type Connector, listConnectors } from '../../../store/connectors/connectors.ts';
import type { OauthApp } from '../../../store/oauth/oauth-apps.ts';
import { html, type Html } from '../layout/html.ts';
import type { Texts } from '../layout/page-texts-en.ts';
import type { Fields, PageParts } from '../../request/web-request.ts';

/** The connectors that an app may be allowed to use. */
export interface ConnectorChoice {
  all: readonly Connector[];
  /** Ids of those selected initially. */
  chosen: readonly string[];
}

/** Whether an application with these scopes is limited to connectors that its user chooses. */
function isChoiceOfConnectors(app: Pick<OauthApp, 'kind'>, scopes: readonly Scope[]): boolean {
  return app.kind === 'team' && scopes.includes('use_connectors');
}

/** The available connectors and the current selection of an application; null if it requests no connectors or is not limited by scopes. */
export async function findChoice(
  { database }: Pick<PageParts, 'database'>,
  accountId: string,
  app: OauthApp,
  scopes: readonly Scope[],
): Promise<ConnectorChoice | null> {
  if (!isChoiceOfConnectors(app, scopes)) return null;
  const [all, chosen] = await Promise.all([
    database.run(listConnectors, accountId),
    database.run(findGrantedConnectors, { accountId, clientId: app.clientId }),
  ]);
  return { all, chosen: chosen ?? [] };
}

/** Each checkbox has its own name, because forms with duplicate names are rejected. */
function boxOf(connectorId: string): string {
  return `connector_${connectorId}`;
}

export function renderChoice({ connectors }: Texts, choice: ConnectorChoice | null): Html | false {
  if (!choice) return false;
  if (choice.all.length === 0) return html`<p class="small soft">${connectors.none}</p>`;
  const boxes = choice.all.map(
    ({ id, name, url }) =>
      html`<label><input type="checkbox" name="${boxOf(id)}" value="yes"${choice.chosen.includes(id) && html` checked`}> <span>${name} <span class="hint">${new URL(url).host}</span></span></label>`,
  );
  return html`<fieldset><legend>${connectors.legend}</legend>${boxes}</fieldset>`;
}

/** Ids of the connectors selected in a form, limited to those of the account. */
export function readChoice(choice: ConnectorChoice | null, fields: Fields): string[] {
  return (choice?.all ?? []).flatMap(({ id }) => (fields[boxOf(id)] === 'yes' ? [id] : []));
}
