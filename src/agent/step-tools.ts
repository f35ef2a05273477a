import type { TaskConfig } from '../rules/events/task-event.ts';
import { describeMemory } from './memory-prompt.ts';
import { Fault } from '@errand/base/fault.ts';
import { mostBrandFileBytes, type TaskBrand } from '../tools/brands/task-brand.ts';
import type { AgentPorts, StepTools, TaskFacts, TaskTools, Turn } from './agent-ports.ts';

type Pins = Readonly<Record<string, string>>;

/** Only tools unchanged since the task started using them: later changes and additions by a server are not trusted. */
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
export function createStepTools({ task, journal, ports, memory }: Omit<Turn, 'stepTools'>): () => Promise<StepTools> {
  let made: { of: TaskConfig; pins: Pins | null; stepTools: StepTools } | undefined;
  // Once for each run, so that the prompt stays the same.
  let described: string | null = null;
  let brand: TaskBrand | null | undefined;
  return async () => {
    const { taskConfig } = journal.state;
    if (made?.of === taskConfig && made.pins === journal.state.pins) return made.stepTools;
    const taskTools = await ports.taskTools(task, taskConfig);
    const isNew = journal.state.pins === null && taskTools.connectorTools.length > 0;
    if (isNew) await journal.append([{ type: 'tools_pinned', tools: pinsOf(taskTools) }]);
    described ??= memory ? describeMemory(await memory.describe()) : null;
    if (brand === undefined) brand = await findTaskBrand(ports, task, taskConfig.projectId ?? null);
    const { pins } = journal.state;
    const tools = pins === null ? [] : keepPinned(taskTools, pins);
    const toolbox = tools.length === 0 ? ports.toolbox : ports.toolbox.extend(tools);
    made = { of: taskConfig, pins, stepTools: { skills: taskTools.skills, toolbox, memory: described, brand } };
    return made.stepTools;
  };
}
