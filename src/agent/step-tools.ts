import type { Equipment } from '../rules/events/task-event.ts';
import type { Gear, Outfit, Turn } from './agent-ports.ts';

type Pins = Readonly<Record<string, string>>;

/** Only tools that are as they were when the task began to use them: what a server changes or adds later is not trusted. */
function keepPinned({ connectorTools }: Outfit, pins: Pins) {
  return connectorTools.flatMap(({ tool, hash }) => (pins[tool.name] === hash ? [tool] : []));
}

function pinsOf({ connectorTools }: Outfit): Pins {
  return Object.fromEntries(connectorTools.map(({ tool, hash }) => [tool.name, hash]));
}

/** Gives what the task works with now: made anew only when its log changed it. Pins the tools of connectors at first sight. */
export function createGearing({ task, journal, ports }: Omit<Turn, 'gear'>): () => Promise<Gear> {
  let made: { of: Equipment; pins: Pins | null; gear: Gear } | undefined;
  return async () => {
    const { equipment } = journal.state;
    if (made?.of === equipment && made.pins === journal.state.pins) return made.gear;
    const outfit = await ports.outfit(task, equipment);
    const isNew = journal.state.pins === null && outfit.connectorTools.length > 0;
    if (isNew) await journal.append([{ type: 'tools_pinned', tools: pinsOf(outfit) }]);
    const { pins } = journal.state;
    const tools = pins === null ? [] : keepPinned(outfit, pins);
    const toolbox = tools.length === 0 ? ports.toolbox : ports.toolbox.extend(tools);
    made = { of: equipment, pins, gear: { ...outfit, toolbox } };
    return made.gear;
  };
}
