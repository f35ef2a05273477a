import type { ConnectorTool } from '../rules/connector.ts';
import type { ConnectorKey } from '../store/connectors.ts';

/** What operations on connectors need beyond the store. */
export interface ConnectorDesk {
  /** Asks a server for its tools; the reason why not, in words for the person who connects it, where that fails. */
  listTools(url: string, headers: Readonly<Record<string, string>>): Promise<{ tools: ConnectorTool[] } | { problem: string }>;
  /** Seals headers for their connector; throws `failed_precondition` where this instance keeps no secret. */
  seal(headers: Readonly<Record<string, string>>, key: ConnectorKey): string | null;
  open(sealed: string | null, key: ConnectorKey): Record<string, string>;
}
