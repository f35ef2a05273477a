/** How a person's own HTTP API is called: what an OpenAPI document says of one operation, with limits applied. */
export const apiLimits = {
  /** Operations that a connector may offer; models accept few tools. */
  operations: 64,
  /** Operations that a document may describe. */
  listed: 2000,
  /** Bytes of a document that is fetched, and of one that is sent. */
  fetchedBytes: 10 * 1024 * 1024,
  sentBytes: 4 * 1024 * 1024,
  /** Of one operation's input as models see it. */
  schemaBytes: 16 * 1024,
  /** Bytes of the body of one call. */
  bodyBytes: 1024 * 1024,
};

export const apiMethods = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type ApiMethod = (typeof apiMethods)[number];

/** How a value becomes text: `deep` is `name[key]=value`. */
export type ParameterStyle = 'repeat' | 'comma' | 'space' | 'pipe' | 'deep' | 'json';

export interface ApiParameter {
  /** What models call it. */
  field: string;
  name: string;
  in: 'path' | 'query' | 'header';
  style: ParameterStyle;
}

export interface ApiBody {
  kind: 'json' | 'form' | 'text';
  mediaType: string;
}

/** A request with everything open that the input of a call fills in. */
export interface ApiRequest {
  method: ApiMethod;
  /** With `{name}` for each parameter of the path. */
  path: string;
  parameters: readonly ApiParameter[];
  /** What the field `body` is sent as. */
  body: ApiBody | null;
}

/** What a connector for an HTTP API has beside its address, sealed keys, and tools. */
export interface ApiAccess {
  /** Where its keys are sent. */
  keysIn: 'header' | 'query';
}

/** What a document says about how its callers prove who they are. */
export interface ApiSignIn {
  type: 'header' | 'query' | 'bearer' | 'basic';
  /** Of the header or parameter. */
  name?: string;
}

/** An operation as a person chooses it. */
export interface ListedOperation {
  name: string;
  method: ApiMethod;
  path: string;
  summary: string;
  /** Why it cannot be used; null if it can. */
  problem: string | null;
}

/** A document by its text, or by the URL from which it is fetched now. */
export type ApiSource = { text: string } | { url: string };

/** What is wanted of a document. */
export interface ApiChoice {
  /** Names of operations; null for all that can be used. */
  names: readonly string[] | null;
  /** What the sign-in sends, which no call may send. */
  taken: { in: ApiParameter['in']; name: string } | null;
}

/** What a person chooses from, and the tools that were chosen. */
export interface ApiDocument<Tool> {
  title: string;
  /** Absolute once the document's own place is known; null if it names none. */
  baseUrl: string | null;
  signIn: ApiSignIn | null;
  operations: ListedOperation[];
  tools: Tool[];
}

/** Headers that belong to the connection, to the sign-in, or to the body, or that name another method or address than the call's. */
const ownHeaders =
  /^(accept|accept-encoding|authorization|connection|content-.*|cookie|expect|forwarded|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|via|x-forwarded-.*|x-http-method|x-(?:http-)?method-override|x-(?:original|rewrite)-url)$/i;

/** Whether a call may set this header. */
export function isOpenHeader(name: string): boolean {
  return /^[A-Za-z0-9-]{1,64}$/.test(name) && !ownHeaders.test(name);
}

/** An address without slashes at its end. */
export function trimSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}
