/** How much of everything a run does. */
export interface Sizes {
  /** Whether measures share a service where they want the same, instead of a new one on an empty store for each. */
  sharesServices: boolean;
  /** Times that a figure and what it is compared with are taken in turn; the median counts. */
  rounds: number;
  warmup: number;
  /** Requests of one round. */
  creates: number;
  reads: number;
  appends: number;
  /** Tasks carried to their end in one round. */
  finishes: number;
  /** Tasks that reads and appends go round. */
  tasks: number;
  /** Messages sent to stream readers. */
  streamed: number;
  /** Readers of one task, messages sent to it, and readers of as many tasks in which nothing happens: at most as one account may have. */
  readers: number;
  readMessages: number;
  idleReaders: number;
  /** Tasks driven one after another, and model calls of each, for the cost of a step. */
  steppedTasks: number;
  steps: number;
  /** Commands of one task, after one another; new tasks with one command, one after another, and at once. */
  commands: number;
  newTasks: number;
  tasksAtOnce: number;
  /** Tables mapped one after another, and rows of each. */
  mappedTables: number;
  mappedRows: number;
  /** The early and the late turn that are compared, and how often; the runs, and their steps. */
  turnRounds: number;
  turns: readonly [number, number];
  runs: number;
  runSteps: readonly [number, number];
  stops: number;
  /** Tasks stopped at once, of which a webhook is told. */
  delivered: number;
  starts: number;
  /** Tasks in the store when memory and idle costs are looked at. */
  stored: number;
  idleMs: number;
  /** How often two idle services are compared. */
  idleRounds: number;
  /** Tasks that wait for slow models at once, and those whose replies arrive slowly. */
  heldTasks: number;
  streamedTasks: number;
  /** Creations and reads a second at a steady pace, and for how long. */
  pacedPerSecond: number;
  pacedMs: number;
  /** Checks of one credential, and keys that are made and revoked. */
  checks: number;
  revocations: number;
  /** Chapters of the report and slides of the deck that are made of pages. */
  chapters: number;
  slides: number;
  /** Artifacts of the small library and of the large one, and pages read of each. */
  libraries: readonly [number, number];
  libraryReads: number;
  /**
   * Commands and tasks of the hostile account at the same time, the visits of the measured account beside each attack, and messages that
   * the hostile account has for searches.
   */
  strength: number;
  visits: number;
  searched: number;
  /** Schedules, and how long those that become due are watched. */
  schedules: number;
  scheduledMs: number;
  /** Tasks of the store with few and of the one with the tasks of a year; those of them that expire; requests of a round; pause after a start. */
  yearTasks: readonly [number, number];
  yearExpired: number;
  yearCreates: number;
  yearReads: number;
  yearSearches: number;
  yearSettleMs: number;
}

/** What the documented figures are taken with. */
export const fullSizes: Sizes = {
  sharesServices: false,
  rounds: 5,
  warmup: 2000,
  creates: 8000,
  reads: 12_000,
  appends: 8000,
  finishes: 4000,
  tasks: 1024,
  streamed: 1000,
  readers: 2000,
  readMessages: 20,
  idleReaders: 2000,
  steppedTasks: 10,
  steps: 40,
  commands: 101,
  newTasks: 40,
  tasksAtOnce: 50,
  mappedTables: 5,
  mappedRows: 1000,
  turnRounds: 12,
  turns: [20, 900],
  runs: 2,
  runSteps: [10, 1500],
  stops: 200,
  delivered: 4000,
  starts: 7,
  stored: 10_000,
  idleMs: 10_000,
  idleRounds: 9,
  heldTasks: 5000,
  streamedTasks: 1000,
  pacedPerSecond: 500,
  pacedMs: 20_000,
  checks: 200_000,
  revocations: 50,
  chapters: 15,
  slides: 20,
  libraries: [1000, 10_000_000],
  libraryReads: 200,
  strength: 4,
  visits: 40,
  searched: 100_000,
  schedules: 100_000,
  scheduledMs: 60_000,
  yearTasks: [200, 365_000],
  yearExpired: 5000,
  yearCreates: 2000,
  yearReads: 2000,
  yearSearches: 50,
  yearSettleMs: 15_000,
};

/** Only to show that everything runs. */
export const quickSizes: Sizes = {
  sharesServices: true,
  rounds: 1,
  warmup: 4,
  creates: 40,
  reads: 40,
  appends: 40,
  finishes: 20,
  tasks: 8,
  streamed: 6,
  readers: 10,
  readMessages: 2,
  idleReaders: 10,
  steppedTasks: 1,
  steps: 3,
  commands: 4,
  newTasks: 2,
  tasksAtOnce: 2,
  mappedTables: 1,
  mappedRows: 10,
  turnRounds: 1,
  turns: [2, 12],
  runs: 1,
  runSteps: [2, 12],
  stops: 3,
  delivered: 20,
  starts: 1,
  stored: 20,
  idleMs: 100,
  idleRounds: 2,
  heldTasks: 20,
  streamedTasks: 5,
  pacedPerSecond: 20,
  pacedMs: 500,
  checks: 1000,
  revocations: 1,
  chapters: 2,
  slides: 3,
  libraries: [60, 200],
  libraryReads: 3,
  strength: 1,
  visits: 1,
  searched: 100,
  schedules: 20_000,
  scheduledMs: 3000,
  yearTasks: [64, 200],
  yearExpired: 20,
  yearCreates: 20,
  yearReads: 20,
  yearSearches: 2,
  yearSettleMs: 100,
};
