import { type ModelEffort, modelEfforts, type ModelTuning, splitModelNames } from '../rules/instance/model-tuning.ts';
import { offlineModel, readModelNames } from './model-settings.ts';
import { readChoiceSetting, readFlag, readInteger } from './setting-readers.ts';
import { type Setting, setting } from './setting.ts';

const suffixes = { 'service-1.6': '', 'service-1.6-lite': '_LITE', 'service-1.6-max': '_MAX' } as const;
type Profile = keyof typeof suffixes;
type Suffix = (typeof suffixes)[Profile];

type PerProfile<Name extends string, Value> = { [Key in `${Name}${Suffix}`]: Setting<Value | null> };

interface Row<Value> {
  about: string;
  fallbackText: string;
  example: string;
  read(text: string): Value;
}

/** A setting of the standard profile, and those of the other two, which default to it. */
function forProfiles<Name extends string, Value>(name: Name, row: Row<Value>): PerProfile<Name, Value> {
  const main = setting<Value | null>({ ...row, fallback: null });
  const other = (profile: string) =>
    setting<Value | null>({
      ...main,
      about: `The same for the ${profile} profile.`,
      fallbackText: 'same as the standard profile',
    });
  return { [name]: main, [`${name}_LITE`]: other('lite'), [`${name}_MAX`]: other('max') } as PerProfile<Name, Value>;
}

/** One answer, or one for each model of a list. */
function readSees(text: string): readonly boolean[] {
  return Object.freeze(text.split(',').map((each) => readFlag(each.trim())));
}

/** The models of the profiles, and how they are used. */
export const profileSettings = {
  ...forProfiles('ERRAND_MODEL', {
    about: 'Model of the standard profile, as `provider/model`; further ones, after commas, replace it while it is away.',
    fallbackText: `Ollama or LM Studio if detected, else \`${offlineModel}\``,
    example: 'anthropic/claude-sonnet-5',
    read: readModelNames,
  }),
  ...forProfiles('ERRAND_MODEL_EFFORT', {
    about: `How much the model thinks before it answers: ${modelEfforts.join(', ')}.`,
    fallbackText: "the provider's own",
    example: 'medium',
    read: readChoiceSetting<ModelEffort>(modelEfforts),
  }),
  ...forProfiles('ERRAND_MODEL_SEES', {
    about: 'Whether the model accepts images: `true` or `false`, for a list of models also one for each, separated by commas.',
    fallbackText: "by the model's name",
    example: 'true',
    read: readSees,
  }),
  ...forProfiles('ERRAND_MODEL_FIRST_BYTE_SECONDS', {
    about: 'Seconds that a model may be silent before the first byte of its reply.',
    fallbackText: '60, for Ollama and LM Studio 600',
    example: '300',
    read: readInteger(1, 86_400),
  }),
  ...forProfiles('ERRAND_MODEL_IDLE_SECONDS', {
    about: 'Seconds that a model may be silent within its reply.',
    fallbackText: '60, for Ollama and LM Studio 600',
    example: '120',
    read: readInteger(1, 86_400),
  }),
  ...forProfiles('ERRAND_MODEL_PATIENCE_MINUTES', {
    about: 'Minutes for which a task waits out an outage or overload of its models before it ends with an error.',
    fallbackText: 'two minutes, at most five attempts',
    example: '240',
    read: readInteger(0, 10_080),
  }),
  ...forProfiles('ERRAND_MODEL_WINDOW', {
    about: 'Context window in tokens, prompt and reply together; set it if a model has less than its name implies.',
    fallbackText: "by the model's name: 32000 for local models, 128000 for unknown ones",
    example: '32000',
    read: readInteger(4_000, 100_000_000),
  }),
  ERRAND_ACCOUNT_MODEL_KEYS: setting({
    about: 'Whether accounts may use keys of their own for the models of their tasks.',
    fallback: true,
    example: 'false',
    read: readFlag,
  }),
};

type ProfileValues = {
  [Name in keyof typeof profileSettings]: (typeof profileSettings)[Name] extends Setting<infer Value> ? Value : never;
};

/** The variables that list models, in the order of the profiles. */
const modelLists = ['ERRAND_MODEL', 'ERRAND_MODEL_LITE', 'ERRAND_MODEL_MAX'] as const;

/** Each model of each profile, with its variable. */
export function listModels(values: ProfileValues): { variable: (typeof modelLists)[number]; name: string }[] {
  return modelLists.flatMap((variable) =>
    splitModelNames(values[variable] ?? '').flatMap((name) => (name ? [{ variable, name }] : [])),
  );
}

function tuningOf(values: ProfileValues, suffix: Suffix): ModelTuning {
  const effort = values[`ERRAND_MODEL_EFFORT${suffix}`] ?? values.ERRAND_MODEL_EFFORT;
  const sees = values[`ERRAND_MODEL_SEES${suffix}`] ?? values.ERRAND_MODEL_SEES;
  const firstByte = values[`ERRAND_MODEL_FIRST_BYTE_SECONDS${suffix}`] ?? values.ERRAND_MODEL_FIRST_BYTE_SECONDS;
  const idle = values[`ERRAND_MODEL_IDLE_SECONDS${suffix}`] ?? values.ERRAND_MODEL_IDLE_SECONDS;
  const patience = values[`ERRAND_MODEL_PATIENCE_MINUTES${suffix}`] ?? values.ERRAND_MODEL_PATIENCE_MINUTES;
  const window = values[`ERRAND_MODEL_WINDOW${suffix}`] ?? values.ERRAND_MODEL_WINDOW;
  return Object.freeze({
    ...(effort !== null && { effort }),
    ...(sees !== null && { sees }),
    ...(firstByte !== null && { firstByteMs: firstByte * 1000 }),
    ...(idle !== null && { idleMs: idle * 1000 }),
    ...(patience !== null && { patienceMs: patience * 60_000 }),
    ...(window !== null && { window }),
  });
}

/** How the models of each profile are used; absent if nothing is set. */
export function readTuning(values: ProfileValues): { tuning?: Readonly<Record<Profile, ModelTuning>> } {
  const profiles = Object.keys(suffixes) as Profile[];
  const entries = profiles.map((profile) => [profile, tuningOf(values, suffixes[profile])] as const);
  if (entries.every(([, tuning]) => Object.keys(tuning).length === 0)) return {};
  return { tuning: Object.freeze(Object.fromEntries(entries) as Record<Profile, ModelTuning>) };
}
