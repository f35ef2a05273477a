/**
 * The token formats. Each contains the ids of its account and grant, so that it is found by a key of the account's own rows; the
 * last 43 characters are the secret.
 */
export interface TokenPlace {
  accountId: string;
  grantId: string;
}

const id = '[0-9A-Za-z]{22}';
const secret = '[0-9A-Za-z]{43}';
const forms = {
  access: new RegExp(`^access_(${id})_(${id})_${secret}$`),
  refresh: new RegExp(`^refresh_(${id})_(${id})_${secret}$`),
  code: new RegExp(`^code_${id}_(${id})(${id})${secret}$`),
};

export type TokenKind = keyof typeof forms;

/** The lookup key of a token of this kind, or null if malformed. */
export function placeOfToken(kind: TokenKind, token: string): TokenPlace | null {
  const [, accountId, grantId] = forms[kind].exec(token) ?? [];
  return accountId !== undefined && grantId !== undefined ? { accountId, grantId } : null;
}

export function formatAccessToken({ accountId, grantId }: TokenPlace, random43: string): string {
  return `access_${accountId}_${grantId}_${random43}`;
}

export function formatRefreshToken({ accountId, grantId }: TokenPlace, random43: string): string {
  return `refresh_${accountId}_${grantId}_${random43}`;
}

export function formatCode({ accountId, grantId }: TokenPlace, clientId: string, random43: string): string {
  return `code_${clientId}_${accountId}${grantId}${random43}`;
}
