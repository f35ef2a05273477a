import { readName } from '../../api/name-field.ts';
import { newApiKey, newId } from '../../base/ids.ts';
import { digestSecret } from '../../base/secret.ts';
import { type ApiKey, createApiKey, listApiKeys, revokeApiKey } from '../../store/api-keys.ts';
import { html, type Html } from '../html.ts';
import type { SessionDesk, Visitor } from '../session-desk.ts';
import {
  type Action,
  actorOfVisitor,
  answerSettings,
  beginForm,
  buildSettingsPage,
  renderButton,
  type SettingsPage,
} from '../signed-in.ts';
import { renderTime } from '../time.ts';
import type { WebParts } from '../web-request.ts';

const path = '/settings/keys';

function renderKey(visitor: Visitor, { id, name, tail, createdAtMs, lastUsedAtMs }: ApiKey): Html {
  const button = renderButton(visitor, path, { action: 'revoke', id, name: 'Revoke', label: `Revoke ${name}` });
  return html`<tr><td>${name}</td><td><code>…${tail}</code></td><td>${renderTime(createdAtMs)}</td><td>${renderTime(lastUsedAtMs)}</td><td>${button}</td></tr>`;
}

function renderKeys(visitor: Visitor, keys: readonly ApiKey[]): Html {
  if (keys.length === 0) return html`<p class="soft">You have no API keys.</p>`;
  return html`<table><thead><tr><th>Name</th><th>Key</th><th>Created</th><th>Last used</th><td></td></tr></thead>
<tbody>${keys.map((key) => renderKey(visitor, key))}</tbody></table>`;
}

/** API keys of the account: a program with one may do everything that its user may. */
export function buildKeysPage(parts: WebParts, desk: SessionDesk): SettingsPage {
  const { database, clock } = parts;
  const create: Action = async (visitor, { fields }) => {
    const [secret, now] = [newApiKey(), clock.now()];
    const name = readName(fields.name ?? '');
    const key = { keyId: newId(now), name, digest: digestSecret(secret), tail: secret.slice(-4), now };
    await database.run(createApiKey, { accountId: visitor.accountId, ...key, actor: actorOfVisitor(visitor) });
    return { secret, about: `This is the key “${name}”.` };
  };
  const revoke: Action = async (visitor, { fields }) => {
    const change = { accountId: visitor.accountId, keyId: fields.id ?? '', now: clock.now(), actor: actorOfVisitor(visitor) };
    await database.run(revokeApiKey, change);
    return { done: 'The key is revoked.' };
  };
  return buildSettingsPage(
    parts,
    desk,
    async (visitor, _request, notice) => {
      const keys = await database.run(listApiKeys, visitor.accountId);
      const body = html`<p class="soft">A program with one of these keys may do everything that you may.</p>
<div class="card">${renderKeys(visitor, keys)}</div><h2>New key</h2><div class="card">${beginForm(visitor, path, 'create')}
<label for="name">Name <span class="hint">what it is for</span></label><input id="name" name="name" required maxlength="100">
<div class="row"><button>Create key</button></div></form></div>`;
      return answerSettings(visitor, path, { title: 'API keys', notice, body });
    },
    { create, revoke },
  );
}
