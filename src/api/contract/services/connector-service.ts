import type { Entrant } from '@errand/base/load/fair-gate.ts';
import type { ApiChoice, ApiDocument, ApiSource } from '../../../rules/connectors/api-operation.ts';
import type { ConnectorTool, ServerCommand } from '../../../rules/connectors/connector.ts';
import type { ConnectorKey } from '../../../store/connectors/connectors.ts';

/** The result of contacting a server: its tools, or why it cannot be used, in words for the person who connects it. */
export type ConnectorLook = { tools: readonly ConnectorTool[] } | { problem: string };

/** What is stored of a server that has answered. */
export interface ConnectorNote {
  tools: readonly ConnectorTool[];
  signIn: 'needed' | null;
  problem: string | null;
}

/** What operations on connectors need beyond the store. Requests to a server take at most a minute, or until the signal aborts. */
export interface ConnectorService {
  /** Lists a server's tools. `signIn` means that its user has to sign in there. */
  listTools(
    url: string,
    headers: Readonly<Record<string, string>>,
    caller: Entrant,
  ): Promise<ConnectorLook | { signIn: 'needed' }>;
  /** Lists the tools of an operator's command, which runs in the sandbox. Its environment may contain keys. */
  tryCommand(
    key: ConnectorKey,
    command: ServerCommand,
    env: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<ConnectorLook>;
  /** Reads an OpenAPI document; its URL is fetched. Throws a 400 that names `document` or `document_url`. */
  readApi(source: ApiSource, choice: ApiChoice, caller: Entrant): Promise<ApiDocument<ConnectorTool>>;
  /** Why nothing answers at the address of an HTTP API; null if something does. */
  tryApi(url: string, caller: Entrant): Promise<string | null>;
  /** Lists the tools of an existing connector, with its keys and the sign-in of its user. */
  check(key: ConnectorKey, signal: AbortSignal): Promise<ConnectorLook & { signIn?: 'needed' }>;
  /** Stores what becomes known of a connector after the response to its creation. */
  noteLater(key: ConnectorKey, note: Promise<ConnectorNote>): void;
  /** Seals headers for their connector; throws `failed_precondition` if this instance cannot store secrets. */
  seal(headers: Readonly<Record<string, string>>, key: ConnectorKey): string | null;
  /** Seals the client registration at the server's authorization server; throws if this instance cannot store secrets. */
  sealClient(client: { client_id: string; client_secret?: string }, key: ConnectorKey): string;
  /** Starts a sign-in at a connector's server and returns the URL for the browser. */
  beginSignIn(key: ConnectorKey, redirectUri: string, signal: AbortSignal): Promise<string>;
  /** Finishes a sign-in with the browser's parameters, and lists the server's tools again. */
  finishSignIn(key: ConnectorKey, returned: { state: string; code: string; iss: string | undefined }): Promise<ConnectorLook>;
}
