import type { z } from 'zod';
import { Fault } from '@errand/base/fault.ts';
import type { Log } from '@errand/base/log.ts';
import type { ToolDefinition } from '../../models/model.ts';
import type { ActionKind } from '../../rules/tasks/confirmation.ts';
import type { CallPart, ToolCallSummary } from '../../rules/events/task-event.ts';
import { explainInput } from './input-problems.ts';
import { capOutput, labelOutput } from './output-cap.ts';
import { NoOutcome, type Tool, type ToolContext, type ToolOutcome } from './tool.ts';
import { completeTools, createOffers, type Offering } from './tool-definitions.ts';

/** The tools of a worker, the same and in the same order for the whole life of a task, so that prompts can be cached. */
export interface Toolbox {
  /** What a model is offered; for the same offering the same frozen array each time. */
  definitions(offering: Offering): readonly ToolDefinition[];
  find(name: string): Tool | undefined;
  /** A toolbox with further tools; this one if `tools` is empty. */
  extend(tools: readonly Tool[]): Toolbox;
  /**
   * What a person is to be asked about before this call is run; null where nothing. `usual`: the kind of calls that the tool asks nothing
   * about. A call that is not valid has no action.
   */
  findAction(call: Pick<CallPart, 'tool' | 'input'>, usual?: ActionKind): PreparedAction | null;
  /**
   * Runs one call of a model. Whatever the model did wrong, and whatever the tool could not do, is an outcome whose text tells
   * the model; rejects only with the signal's reason once `context.signal` is aborted, or with
   * `NoOutcome`.
   */
  runCall(call: Pick<CallPart, 'tool' | 'input'>, context: ToolContext): Promise<ToolOutcome & ToolCallSummary>;
}

/** An action as the person who is asked about it reads it. */
export interface PreparedAction extends ToolCallSummary {
  kind: ActionKind;
  /** The connector that it uses. */
  connectorId?: string;
  params: Record<string, unknown>;
}

const accountLength = 200;

/** One line of text for people: paths and queries in it were written by a model. */
function shorten(text: string): string {
  const line = text.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
  return line.length <= accountLength ? line : `${line.slice(0, accountLength - 1).toWellFormed()}…`;
}

function shortenSummary({ brief, action, param }: ToolCallSummary): ToolCallSummary {
  return { brief: shorten(brief), action: shorten(action), param: shorten(param) };
}

function failure(output: string, summary: ToolCallSummary): ToolOutcome & ToolCallSummary {
  return { status: 'error', output, ...summary };
}

async function runTool(tool: Tool, input: z.infer<z.ZodObject>, context: ToolContext, log: Log): Promise<ToolOutcome> {
  try {
    return await tool.run(input, context);
  } catch (error) {
    if (context.signal.aborted) throw context.signal.reason;
    if (error instanceof NoOutcome) throw error;
    if (error instanceof Fault) return { status: 'error', output: error.message };
    log.error({ err: error, tool: tool.name }, 'a tool failed unexpectedly');
    return {
      status: 'error',
      output: `${tool.name} failed for a reason of the service's own. Try another way, or once more later.`,
    };
  }
}

export function createToolbox(tools: readonly Tool[], log: Log): Toolbox {
  const sorted = completeTools(tools);
  const byName = new Map(sorted.map((tool) => [tool.name, tool]));
  if (byName.size < sorted.length) throw new Fault('internal', 'Two tools have the same name.');

  async function run(call: Pick<CallPart, 'tool' | 'input'>, context: ToolContext): Promise<ToolOutcome & ToolCallSummary> {
    const tool = byName.get(call.tool);
    if (!tool) {
      const name = shorten(call.tool);
      // Without those that many tasks are not offered.
      const isUsual = ({ needs, isSpare }: Tool) =>
        isSpare !== true && needs !== 'user' && needs !== 'references' && needs !== 'images';
      const names = sorted.flatMap((each) => (isUsual(each) ? [each.name] : [])).join(', ');
      const isSearch = /web.?search|search.?web/i.test(name) && !byName.has('search_web');
      const search = isSearch ? ' This service has no search engine.' : '';
      return failure(`There is no tool "${name}".${search} The tools are ${names}.`, {
        brief: 'Calling an unknown tool',
        action: 'Calling',
        param: name,
      });
    }
    const checked = tool.input.safeParse(call.input);
    if (!checked.success) {
      return failure(explainInput(tool, checked.error, call.input), {
        brief: `Calling ${tool.name}`,
        action: 'Calling',
        param: tool.name,
      });
    }
    return { ...(await runTool(tool, checked.data, context, log)), ...shortenSummary(tool.summarize(checked.data)) };
  }

  function findAction(call: Pick<CallPart, 'tool' | 'input'>, usual: ActionKind | null = null): PreparedAction | null {
    const tool = byName.get(call.tool);
    const checked = tool?.input.safeParse(call.input);
    if (!tool || !checked?.success) return null;
    const own = tool.asksFor ? tool.asksFor(checked.data) : tool.effect === 'once' ? 'connectorAction' : null;
    const kind = own ?? usual;
    const { connectorId } = tool;
    const place = connectorId === undefined ? {} : { connectorId };
    return kind === null ? null : { kind, ...place, params: checked.data, ...shortenSummary(tool.summarize(checked.data)) };
  }

  return {
    findAction,
    extend: (more) => createToolbox([...tools, ...more], log),
    definitions: createOffers(sorted),
    find: (name) => byName.get(name),
    async runCall(call, context) {
      context.signal.throwIfAborted();
      const outcome = await run(call, context);
      const label = labelOutput(call.tool, call.input);
      return { ...outcome, output: await capOutput(outcome.output, context.callId, context.workspace, label) };
    },
  };
}
