/**
 * Words that a standard one replaces (docs/reference/glossary.md), as whole parts of a name: `desk` refuses `creditDesk` and not `desktop`.
 * @type {Readonly<Record<string, string>>}
 */
export const bannedSegments = {
  desk: 'service or gateway',
  desks: 'services',
  door: 'HTTP client or access',
  doors: 'HTTP clients',
  equipment: 'task config',
  face: 'server or API version',
  faces: 'servers',
  forget: 'delete or remove',
  gear: 'step tools',
  gearing: 'step tools',
  hear: 'receive',
  heard: 'received',
  hearing: 'transcription',
  judge: 'classify, check, verify or decide',
  judged: 'classified, checked or decided',
  judges: 'classifies, checks or decides',
  maker: 'generator',
  makers: 'generators',
  outfit: 'task tools',
  outfits: 'task tools',
  parked: 'suspended',
  pen: 'renderer',
  printed: 'converted',
  room: 'module, frame or space',
  rooms: 'modules or frames',
  shelf: 'blob store or registry',
  shelves: 'blob stores or registries',
  sight: 'preview or view',
  suspect: 'quarantined',
  suspects: 'quarantined',
  tell: 'describe, report or notify',
  tells: 'describes, reports or notifies',
  told: 'reported or notified',
  traversal: 'list cursor',
  traversals: 'list cursors',
  trial: 'check',
  trials: 'checks',
  turnstile: 'mutex',
  unheard: 'pending',
  wish: 'request',
  wishes: 'requests',
};

/**
 * Whole names whose parts are ordinary words and mean something else together.
 * @type {Readonly<Record<string, string>>}
 */
export const bannedNames = {
  askLeave: 'requestApproval',
  createPlaces: 'slots',
  findFact: 'getInstanceValue',
  heldThings: 'taskResources',
  keepBlobs: 'addBlobReferences',
  keepFact: 'setInstanceValue',
  keptThings: 'resourcePool',
  lastingThing: 'runningProcess',
  makeRoom: 'compactContext',
  onReach: 'onConnect',
  taskWorkbench: 'taskSandbox',
  taskSituation: 'taskRelations',
  taskStory: 'taskTranscript',
  toolAccount: 'toolCallSummary',
  trustMs: 'cacheTtlMs',
};

/**
 * Phrases that read translated, with what an English writer puts. Matched without regard to case and line breaks.
 * @type {Readonly<Record<string, string>>}
 */
export const bannedPhrases = {
  'at this desk': 'by this service',
  'by itself': 'automatically',
  'for good': 'permanently',
  'goes on': 'resumes or continues',
  'makes room in a conversation': 'compacts a conversation',
  'piled up': 'accumulated',
  'public face': 'public server',
  'room next door': 'the name of the module',
  'stands in': 'is in, appears in or replaces',
  'the one door': 'the one HTTP client',
};

/**
 * Where a banned word means something else. `word` is a segment, a whole name or a phrase; `in` is a file, or a folder with all below it.
 * @type {readonly { word: string, in: string, because: string }[]}
 */
export const allowances = [
  { word: 'face', in: 'packages/documents/src/', because: 'a font face, as typographers and the libraries call it' },
  { word: 'faces', in: 'packages/documents/src/', because: 'font faces' },
  { word: 'face', in: 'src/tools/files/readers/pdf-text.ts', because: 'an option of pdfjs names a font face' },
  { word: 'heard', in: 'src/store/bridges/bridge-chats.ts', because: 'a column of the database' },
  { word: 'face', in: 'src/store/webhooks/', because: 'a column of the database' },
  { word: 'room', in: 'web/src/previews/pages/preview-frame.tsx', because: 'the name in messages of the preview frame' },
  { word: 'pen', in: 'web/src/', because: 'icons of lucide' },
];
