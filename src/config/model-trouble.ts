import { needsOf, providerOf } from './model-settings.ts';
import { listModels } from './profile-settings.ts';
import { splitModelNames } from '../rules/instance/model-tuning.ts';
import type { SettingName, SettingValues } from './settings.ts';
import { noSpeech } from './speech-settings.ts';

interface Trouble {
  name: SettingName;
  problem: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** A model without its key or URL would only fail at the first task. */
function findHalfModel(values: SettingValues, env: Environment): Trouble | null {
  for (const { variable, name } of listModels(values)) {
    const needs = needsOf(name);
    if (needs.needsBaseUrl && values.ERRAND_MODEL_BASE_URL === null) {
      return { name: 'ERRAND_MODEL_BASE_URL', problem: `is needed by ${variable}=${name}` };
    }
    if (needs.keyVariable && values.ERRAND_MODEL_API_KEY === null && !env[needs.keyVariable]) {
      const problem = `is needed by ${variable}=${name}, unless ${needs.keyVariable} is set`;
      return { name: 'ERRAND_MODEL_API_KEY', problem };
    }
  }
  return null;
}

/** As for models: the credentials of ERRAND_MODEL's provider also serve its speech models. */
function findHalfSpeech(values: SettingValues, env: Environment): Trouble | null {
  const { ERRAND_SPEECH_MODEL: speech, ERRAND_MODEL: models } = values;
  if (speech === null || speech === noSpeech) return null;
  const needs = needsOf(speech);
  const isInUse = models !== null && providerOf(splitModelNames(models)[0] ?? '') === providerOf(speech);
  const baseUrl = values.ERRAND_SPEECH_BASE_URL ?? (isInUse ? values.ERRAND_MODEL_BASE_URL : null);
  const apiKey = values.ERRAND_SPEECH_API_KEY ?? (isInUse ? values.ERRAND_MODEL_API_KEY : null);
  if (needs.needsBaseUrl && baseUrl === null) {
    return { name: 'ERRAND_SPEECH_BASE_URL', problem: `is needed by ERRAND_SPEECH_MODEL=${speech}` };
  }
  if (needs.keyVariable && apiKey === null && !env[needs.keyVariable]) {
    const problem = `is needed by ERRAND_SPEECH_MODEL=${speech}, unless ${needs.keyVariable} is set`;
    return { name: 'ERRAND_SPEECH_API_KEY', problem };
  }
  return null;
}

/** The first setting that a model lacks; null if all have what they need. */
export function findModelTrouble(values: SettingValues, env: Environment): Trouble | null {
  return findHalfModel(values, env) ?? findHalfSpeech(values, env);
}
