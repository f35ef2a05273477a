import type { Operations } from '@errand/client';

/** An API as its document describes it. */
export type DescribedApi = Operations['connector.readApi']['response'];
export type ApiOperation = DescribedApi['operations'][number];
type SignIn = NonNullable<Operations['connector.createApi']['request']['sign_in']>;

/** Where the document is: at a URL, or in a file whose text was read. */
export interface DocumentPlace {
  url: string;
  file: { name: string; text: string } | null;
}

/** What is entered about an API whose document was read. */
export interface ApiDraft {
  name: string;
  baseUrl: string;
  signIn: { type: SignIn['type']; name: string; username: string; key: string };
  operations: readonly string[];
  isDefault: boolean;
}

/** The fields of a request that name the document. */
export function namePlace({ url, file }: DocumentPlace) {
  return file ? { document: file.text } : { document_url: url.trim() };
}

/** The operations that are chosen at first: all that can be used, or if they are too many, those that only read. */
function chooseFirst({ operations, most_operations: most }: DescribedApi): string[] {
  const usable = operations.filter(({ problem }) => problem === null);
  const chosen = usable.length <= most ? usable : usable.filter(({ method }) => method === 'get');
  return chosen.length <= most ? chosen.map(({ name }) => name) : [];
}

/** What the document itself says. */
export function draftOf(api: DescribedApi): ApiDraft {
  const { type, name = '' } = api.sign_in;
  return {
    name: api.title,
    baseUrl: api.base_url ?? '',
    signIn: { type, name, username: '', key: '' },
    operations: chooseFirst(api),
    isDefault: true,
  };
}

function writeSignIn({ type, name, username, key }: ApiDraft['signIn']): SignIn {
  if (type === 'none') return { type };
  if (type === 'basic') return { type, username, password: key };
  return type === 'bearer' ? { type, key } : { type, name, key };
}

/** The request that connects it. */
export function requestOf(place: DocumentPlace, draft: ApiDraft) {
  const { name, baseUrl, signIn, operations, isDefault } = draft;
  return {
    ...{ name, ...namePlace(place), base_url: baseUrl, sign_in: writeSignIn(signIn), operations: [...operations] },
    enabled_by_default: isDefault,
  };
}
