import type { TaskConfig } from '../rules/events/task-event.ts';
import { describeMemory } from './memory-prompt.ts';
import { Fault } from '@errand/base/fault.ts';
import { mostBrandFileBytes, type TaskBrand } from '../tools/brands/task-brand.ts';
import type { ToolEffect } from '../tools/toolbox/tool.ts';
import type { AgentPorts, StepTools, TaskFacts, TaskTools, TaskRun } from './agent-ports.ts';

/** What a repeated call of a tool means; a call of an unknown tool is only answered, so it may be repeated. */
export function effectOf({ toolbox }: StepTools, tool: string): ToolEffect {
  return toolbox.find(tool)?.effect ?? 'retry';
}

type Pins = Readonly<Record<string, string>>;

/** Keeps only tools that have not changed since the task began to use them: later changes and additions by a server are not trusted. */
function keepPinned({ connectorTools }: TaskTools, pins: Pins) {
  return connectorTools.flatMap(({ tool, hash }) => (pins[tool.name] === hash ? [tool] : []));
}

function pinsOf({ connectorTools }: TaskTools): Pins {
  return Object.fromEntries(connectorTools.map(({ tool, hash }) => [tool.name, hash]));
}

/** The brand of a task; null without one. */
async function findTaskBrand(
  { brandOf, openAttachment }: Pick<AgentPorts, 'brandOf' | 'openAttachment'>,
  task: TaskFacts,
  projectId: string | null,
): Promise<TaskBrand | null> {
  const found = (await brandOf?.(task, projectId)) ?? null;
  if (found === null) return null;
  return {
    ...found,
    async read({ blobId }) {
      const content = await openAttachment(task.accountId, blobId);
      if (!content) return null;
      const pieces: Buffer[] = [];
      let length = 0;
      for await (const piece of content) {
        pieces.push(Buffer.from(piece));
        length += pieces.at(-1)?.length ?? 0;
        if (length > mostBrandFileBytes) throw new Fault('internal', 'a file of a brand is larger than any can be');
      }
      return Buffer.concat(pieces);
    },
  };
}

/** Returns the task's current tools, rebuilt only when its log changes them. Pins connector tools on first use. */
export function createStepTools({ task, journal, ports, memory }: Omit<TaskRun, 'stepTools'>): () => Promise<StepTools> {
  let made: { of: TaskConfig; pins: Pins | null; stepTools: StepTools } | undefined;
  // Once for each run, so that the prompt stays the same.
  let once: Promise<[memory: string | null, brand: TaskBrand | null]> | undefined;
  const readOnce = (projectId: string | null) =>
    Promise.all([memory ? memory.describe().then(describeMemory) : null, findTaskBrand(ports, task, projectId)]);
  return async () => {
    const { taskConfig } = journal.state;
    if (made?.of === taskConfig && made.pins === journal.state.pins) return made.stepTools;
    once ??= readOnce(taskConfig.projectId ?? null);
    // Together, because a task that is alone waits for each answer of the store.
    const [taskTools, [described, brand]] = await Promise.all([ports.taskTools(task, taskConfig), once]);
    const isNew = journal.state.pins === null && taskTools.connectorTools.length > 0;
    if (isNew) await journal.append([{ type: 'tools_pinned', tools: pinsOf(taskTools) }]);
    const { pins } = journal.state;
    const tools = pins === null ? [] : keepPinned(taskTools, pins);
    const toolbox = tools.length === 0 ? ports.toolbox : ports.toolbox.extend(tools);
    made = { of: taskConfig, pins, stepTools: { skills: taskTools.skills, toolbox, memory: described, brand } };
    return made.stepTools;
  };
}
