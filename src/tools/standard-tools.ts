import type { Clock } from '../base/clock.ts';
import { silentLog } from '../base/log.ts';
import { createMakers } from '../makers/maker-threads.ts';
import type { Transcriber } from '../models/transcriber.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { askUser } from './ask-user.ts';
import type { CommandPlace } from './command-outcome.ts';
import { editFile } from './edit-file.ts';
import { listFiles } from './list-files.ts';
import { createEditImage } from './edit-image.ts';
import { createMakeAudio } from './make-audio.ts';
import { createMakeChart } from './make-chart.ts';
import { createMakeDocument } from './make-document.ts';
import { createMakeSlides } from './make-slides.ts';
import { createMakeSpreadsheet } from './make-spreadsheet.ts';
import { createArchiveReader } from './archive/archive-reader.ts';
import { createReadFile } from './read-file.ts';
import { createListener } from './reading/listener.ts';
import { createDocumentReader, type DocumentReader } from './reading/document-reader.ts';
import { createRunCode } from './run-code.ts';
import { createRunShell } from './run-shell.ts';
import { createSearchFiles } from './search-files.ts';
import { loadSkill } from './load-skill.ts';
import type { Tool } from './tool.ts';
import { createUnpackArchive } from './unpack-archive.ts';
import { updatePlan } from './update-plan.ts';
import { writeFile } from './write-file.ts';

/** What runs commands and code: nothing on a machine without a sandbox. */
function listSandboxTools(sandbox: Sandbox, way: CommandWay): Tool[] {
  const place = { sandbox, ...way };
  const runCode = createRunCode(place);
  const makeAudio = createMakeAudio(sandbox);
  return [createRunShell(place), ...(runCode ? [runCode] : []), ...(makeAudio ? [makeAudio] : [])];
}

/** What makes files of their own formats. */
function listMakingTools(clock: Clock): Tool[] {
  const makers = createMakers(clock);
  return [
    createMakeChart(makers),
    createMakeDocument(makers),
    createMakeSlides(makers),
    createMakeSpreadsheet(makers),
    createEditImage(makers),
  ];
}

type CommandWay = Omit<CommandPlace, 'sandbox'>;
const noNetwork: CommandWay = { policy: { kind: 'none' }, log: silentLog };

/** The tools that need nothing but the task's workspace, its user, and what this machine has of a sandbox. */
export function standardTools(
  clock: Clock,
  sandbox: Sandbox | null = null,
  way: CommandWay = noNetwork,
  documents: DocumentReader = createDocumentReader(clock),
  transcriber: Transcriber | null = null,
): Tool[] {
  const readers = { documents, archives: createArchiveReader(clock), listener: createListener(transcriber, clock) };
  const fileTools = [
    editFile,
    listFiles,
    createReadFile(readers),
    createSearchFiles(clock),
    createUnpackArchive(readers.archives),
    writeFile,
  ];
  return [
    askUser,
    updatePlan,
    loadSkill,
    ...fileTools,
    ...listMakingTools(clock),
    ...(sandbox ? listSandboxTools(sandbox, way) : []),
  ];
}
