import type { ConnectorTool, ServerCommand } from '../../rules/connectors/connector.ts';
import type { ConnectorKey } from '../../store/connectors/connectors.ts';

/** What a look at a server found: its tools, or why it cannot be used, in words for the person who connects it. */
export type ConnectorLook = { tools: ConnectorTool[] } | { problem: string };

/** What operations on connectors need beyond the store. */
export interface ConnectorService {
  /** Asks a server for its tools. `signIn` says that its user can sign in there, and has to. */
  listTools(url: string, headers: Readonly<Record<string, string>>): Promise<ConnectorLook | { signIn: 'needed' }>;
  /** The same for a command of the operator's, run in the sandbox with an environment that may hold keys. */
  tryCommand(key: ConnectorKey, command: ServerCommand, env: Readonly<Record<string, string>>): Promise<ConnectorLook>;
  /** The same for a connector, with its keys and the sign-in of its user. */
  check(key: ConnectorKey): Promise<ConnectorLook>;
  /** Seals headers for their connector; throws `failed_precondition` where this instance keeps no secret. */
  seal(headers: Readonly<Record<string, string>>, key: ConnectorKey): string | null;
  /** Seals what this service is known as at the server's authorization server; throws where this instance keeps no secret. */
  sealClient(client: { client_id: string; client_secret?: string }, key: ConnectorKey): string;
  /** Begins a sign-in at the server of a connector and answers where the browser goes. */
  beginSignIn(key: ConnectorKey, redirectUri: string): Promise<string>;
  /** Ends it with what the browser brought back, and looks at the server again. */
  finishSignIn(key: ConnectorKey, returned: { state: string; code: string; iss: string | undefined }): Promise<ConnectorLook>;
}
