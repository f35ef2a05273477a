import type { ToolDefinition } from '../../models/model.ts';
import { createExplainTool } from './explain-tool.ts';
import type { Tool, ToolNeed } from './tool.ts';
import { keepsBack, listHeldBack, omitAsking, readFullSchema, slimSchema } from './tool-schema.ts';

/** What a task offers to tools. */
export type Offering = Readonly<Record<ToolNeed, boolean>>;

function freezeDeep<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  Object.values(value).forEach(freezeDeep);
  return Object.freeze(value);
}

/**
 * The definition of a tool for models. It is short, because every request of every task includes it. Connector tools keep the definitions
 * of their servers.
 */
function makeDefinition(tool: Tool, hasUser: boolean): ToolDefinition {
  const { name, description } = tool;
  const full = hasUser ? readFullSchema(tool) : omitAsking(readFullSchema(tool));
  if (tool.inputSchema) return { name, description, inputSchema: full };
  const heldBack = listHeldBack(full);
  const more = heldBack.length === 0 ? '' : ` More: ${heldBack.join(', ')}.`;
  return { name, description: `${description}${more}`, inputSchema: slimSchema(full) };
}

const attended = new WeakMap<Tool, ToolDefinition>();
const unattended = new WeakMap<Tool, ToolDefinition>();

function define(tool: Tool, hasUser: boolean): ToolDefinition {
  const definitions = hasUser ? attended : unattended;
  const definition = definitions.get(tool) ?? freezeDeep(makeDefinition(tool, hasUser));
  definitions.set(tool, definition);
  return definition;
}

/** Returns the tools offered to a task: the same frozen list for the same offering, so that callers can compare it by identity. */
export function createOffers(tools: readonly Tool[]): (offering: Offering) => readonly ToolDefinition[] {
  const made = new Map<string, readonly ToolDefinition[]>();
  return (offering) => {
    const { user, subtasks, skills, references, images } = offering;
    const key = [user, subtasks, skills, references, images].join();
    const offered =
      made.get(key) ??
      Object.freeze(
        tools
          .filter(({ needs, isSpare }) => isSpare !== true && (needs === undefined || offering[needs]))
          .map((tool) => define(tool, user)),
      );
    made.set(key, offered);
    return offered;
  };
}

/** The tools in order, with the one that explains the others if their definitions leave something out. */
export function completeTools(tools: readonly Tool[]): Tool[] {
  const isBrief = tools.some((tool) => !tool.inputSchema && keepsBack(readFullSchema(tool)));
  const explaining = isBrief ? [createExplainTool((name) => tools.find((tool) => tool.name === name))] : [];
  return [...tools, ...explaining].sort((a, b) => (a.name < b.name ? -1 : 1));
}
