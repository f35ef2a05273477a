import type { Clock } from '@errand/base/clock.ts';
import { silentLog } from '@errand/base/log.ts';
import { createGenerators } from '@errand/documents';
import { noRegistries } from '../rules/egress/package-registries.ts';
import type { Sandbox } from '@errand/sandbox';
import type { Press } from '@errand/sandbox/press';
import { askUser } from './tasks/ask-user.ts';
import type { CommandParts } from './commands/command-parts.ts';
import { editFile } from './files/edit-file.ts';
import { listFiles } from './files/list-files.ts';
import { createEditImage } from './deliverables/edit-image.ts';
import { createEditOffice } from './deliverables/edit-office.ts';
import { createMakeAudio } from './deliverables/make-audio.ts';
import { createMakeChart } from './deliverables/make-chart.ts';
import { createMakeDocument } from './deliverables/make-document.ts';
import { createMakeImage } from './deliverables/make-image.ts';
import { createMakeSlides } from './deliverables/make-slides.ts';
import { createMakeSpreadsheet } from './deliverables/make-spreadsheet.ts';
import { createArchiveReader } from './files/archives/archive-reader.ts';
import { createReadFile } from './files/read-file.ts';
import { createListener } from './files/readers/cached-transcriber.ts';
import { createDocumentReader, type DocumentReader } from './files/readers/document-reader.ts';
import { createReadProcess } from './commands/read-process.ts';
import { createRunCode } from './commands/run-code.ts';
import { createRunShell } from './commands/run-shell.ts';
import { createSearchFiles } from './files/search-files.ts';
import { createMapRows } from './tables/map-rows.ts';
import { loadSkillTool } from './skills/load-skill.ts';
import { createRender } from './pages/render.ts';
import type { Tool } from './toolbox/tool.ts';
import { createUnpackArchive } from './files/unpack-archive.ts';
import { updatePlan } from './tasks/update-plan.ts';
import { writeFile } from './files/write-file.ts';

/** The tools that run commands and code: none on a machine without a sandbox. */
function listSandboxTools(clock: Clock, sandbox: Sandbox, way: CommandWay): Tool[] {
  const parts = { sandbox, clock, ...way };
  const runCode = createRunCode(parts);
  const makeAudio = createMakeAudio(sandbox);
  return [createRunShell(parts), createReadProcess(parts), ...(runCode ? [runCode] : []), ...(makeAudio ? [makeAudio] : [])];
}

/** Tools that generate files in specific formats. */
function listMakingTools(clock: Clock, documents: DocumentReader, press: Press | null): Tool[] {
  const generators = createGenerators(clock);
  return [
    createMakeChart(generators, press),
    createMakeDocument(generators, press),
    createMakeSlides(generators, press),
    createMakeSpreadsheet(generators, press),
    createEditImage(generators),
    createMakeImage(generators),
    createMapRows({ generators, documents }),
    createEditOffice(generators, press),
  ];
}

type CommandWay = Omit<CommandParts, 'sandbox' | 'clock'>;
const noNetwork: CommandWay = { policy: { kind: 'none' }, registries: noRegistries, log: silentLog };

/** The tools that need only the task's workspace, its user, and the machine's sandbox, if any. */
export function standardTools(
  clock: Clock,
  sandbox: Sandbox | null = null,
  way: CommandWay = noNetwork,
  documents: DocumentReader = createDocumentReader(clock),
  press: Press | null = null,
): Tool[] {
  const readers = { documents, archives: createArchiveReader(clock), listener: createListener(clock) };
  const fileTools = [
    editFile,
    listFiles,
    createReadFile(readers),
    createSearchFiles(clock),
    createUnpackArchive(readers.archives, sandbox?.programs.includes('unzip') === true),
    writeFile,
  ];
  return [
    askUser,
    updatePlan,
    loadSkillTool,
    ...fileTools,
    ...listMakingTools(clock, documents, press),
    ...(press ? [createRender(press)] : []),
    ...(sandbox ? listSandboxTools(clock, sandbox, way) : []),
  ];
}
