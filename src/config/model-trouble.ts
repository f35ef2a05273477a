import { needsOf, providerOf } from './model-settings.ts';
import { listModels } from './profile-settings.ts';
import { splitModelNames } from '../rules/instance/model-tuning.ts';
import type { SettingName, SettingValues } from './settings.ts';
import { none } from './side-model-settings.ts';

interface Trouble {
  name: SettingName;
  problem: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Finds a model without its key or URL, which would otherwise only fail at the first task. */
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

/** Finds a speech or image model without its credentials. ERRAND_MODEL's credentials count if the provider is the same. */
function findHalfHelper(values: SettingValues, env: Environment, kind: 'SPEECH' | 'IMAGE'): Trouble | null {
  const [variable, baseUrlName, apiKeyName] = [
    `ERRAND_${kind}_MODEL`,
    `ERRAND_${kind}_BASE_URL`,
    `ERRAND_${kind}_API_KEY`,
  ] as const;
  const { [variable]: helper, ERRAND_MODEL: models } = values;
  if (helper === null || helper === none) return null;
  const needs = needsOf(helper);
  const isInUse = models !== null && providerOf(splitModelNames(models)[0] ?? '') === providerOf(helper);
  const baseUrl = values[baseUrlName] ?? (isInUse ? values.ERRAND_MODEL_BASE_URL : null);
  const apiKey = values[apiKeyName] ?? (isInUse ? values.ERRAND_MODEL_API_KEY : null);
  if (needs.needsBaseUrl && baseUrl === null) return { name: baseUrlName, problem: `is needed by ${variable}=${helper}` };
  if (needs.keyVariable && apiKey === null && !env[needs.keyVariable]) {
    const problem = `is needed by ${variable}=${helper}, unless ${needs.keyVariable} is set`;
    return { name: apiKeyName, problem };
  }
  return null;
}

/** The first setting that a model lacks; null if all have what they need. */
export function findModelTrouble(values: SettingValues, env: Environment): Trouble | null {
  return findHalfModel(values, env) ?? findHalfHelper(values, env, 'SPEECH') ?? findHalfHelper(values, env, 'IMAGE');
}
