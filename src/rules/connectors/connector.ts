import { createHash } from 'node:crypto';
import type { ApiRequest } from './api-operation.ts';

/** A tool as listed by an MCP server, or an operation of an HTTP API, with limits applied. */
export interface ConnectorTool {
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
  /** The server says that it changes nothing. */
  isReadOnly: boolean;
  /** How the operation of an HTTP API is called; left out for tools of MCP servers. */
  request?: ApiRequest;
}

/** A stdio MCP server: a shell command line, and the host folder mounted as /opt/library. */
export interface ServerCommand {
  line: string;
  folder: string | null;
}

export const connectorLimits = {
  /** Connectors an account may have, and tools of one. */
  count: 50,
  tools: 128,
  schemaBytes: 32 * 1024,
  descriptionLength: 4096,
  headers: 20,
  headerLength: 4096,
};

/** The message about a server that the user must sign in to (again). */
export const signInProblem = 'its user has to sign in there, on the page /connectors of this service';

/** The sign-in message, with the OAuth scopes that the server asked for, if any. */
export function explainSignIn({ scope }: { scope?: string | undefined }): string {
  return scope === undefined || scope === '' ? signInProblem : `${signInProblem}, for the scopes: ${scope}`;
}

/** Scopes of several sources, each once; those that no server can mean are left out. */
export function joinScopes(...sources: readonly (string | undefined)[]): string {
  const scopes = sources.flatMap((source) => source?.split(' ') ?? []);
  return [...new Set(scopes.filter((scope) => /^[\x21\x23-\x5b\x5d-\x7e]{1,256}$/.test(scope)))].slice(0, 64).join(' ');
}

const longestToolName = 64;

/** Lower-case words of a connector's name, for the names of its tools. */
function slug(name: string): string {
  return (
    name
      .normalize('NFKD')
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '_')
      .replaceAll(/^_+|_+$/g, '')
      .slice(0, 20) || 'connector'
  );
}

/** A tool's fingerprint: it differs once the server has changed the tool. */
export function hashTool({ name, description, inputSchema, isReadOnly, request }: ConnectorTool): string {
  return createHash('sha256')
    .update(JSON.stringify([name, description, inputSchema, isReadOnly, ...(request ? [request] : [])]))
    .digest('base64url')
    .slice(0, 22);
}

/** Whether a model's name for a tool is that of a connector's. */
export function isConnectorTool(modelName: string): boolean {
  return /^(mcp|api)__/.test(modelName);
}

export interface NamedTool {
  connectorId: string;
  /** The name that models use: `mcp__<connector>__<tool>`, or `api__…` for an operation of an HTTP API. */
  modelName: string;
  tool: ConnectorTool;
}

/** The tools of several connectors with unique names, in name order. */
export function nameTools(connectors: readonly { id: string; name: string; tools: readonly ConnectorTool[] }[]): NamedTool[] {
  const taken = new Set<string>();
  const sorted = connectors.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const named = sorted.flatMap(({ id, name, tools }) =>
    tools.map((tool) => {
      const plain = `${tool.request ? 'api' : 'mcp'}__${slug(name)}__${tool.name.replaceAll(/[^a-zA-Z0-9_-]/g, '_')}`.slice(
        0,
        longestToolName,
      );
      let modelName = plain;
      for (let count = 2; taken.has(modelName); count++) modelName = `${plain.slice(0, longestToolName - 4)}_${count}`;
      taken.add(modelName);
      return { connectorId: id, modelName, tool };
    }),
  );
  return named.toSorted((a, b) => (a.modelName < b.modelName ? -1 : 1));
}
