import { describeMemoryLimit, type Sandbox } from '@errand/sandbox';
import { listFurnishings } from '@errand/sandbox/furnishings';
import { openSandbox } from '@errand/sandbox/open-sandbox';
import type { Check, DoctorContext } from './check.ts';

function checkSpeech(programs: readonly string[]): Check {
  const [name, program] = ['speech', 'espeak-ng'];
  if (programs.includes(program)) return { name, state: 'ok', found: program };
  const found = `agents cannot create audio: ${program} is not installed`;
  return { name, state: 'missing', found, remedy: `apt-get install ${program}` };
}

function checkFurnishings(sandbox: Sandbox): Check {
  const name = 'workshop';
  const { programs, modules, missing, packages } = listFurnishings(sandbox);
  const found = `agents have ${[...programs, ...modules].join(', ') || 'none of the usual programs'}`;
  if (missing.length === 0) return { name, state: 'ok', found };
  return { name, state: 'missing', found: `${found}; not there: ${missing.join(', ')}`, remedy: installing(packages) };
}

function installing(packages: readonly string[]): string {
  const [fromPip, fromDebian] = [true, false].map((isPip) => packages.filter((one) => one.endsWith(', with pip') === isPip));
  const others = (fromPip ?? []).map((one) => `pip3 install --break-system-packages ${one.replace(', with pip', '')}`);
  const debian = fromDebian?.length ? [`apt-get install ${fromDebian.join(' ')}`] : [];
  return [...debian, ...others].join('; ');
}

/** Opens the sandbox with all its tests, as a worker does at its start, and finds the programs that tools use in it. */
export async function checkSandbox({ clock }: DoctorContext): Promise<Check[]> {
  const name = 'sandbox';
  const availability = await openSandbox({ clock });
  const { sandbox } = availability;
  if (sandbox === null) {
    return [{ name, state: 'missing', found: `agents cannot run commands or code: ${availability.reason}` }];
  }
  await sandbox.close();
  const limit = describeMemoryLimit(availability.memoryLimit);
  const found = `bubblewrap works; shell, ${sandbox.languages.join(', ')}; ${limit}`;
  return [{ name, state: 'ok', found }, checkSpeech(sandbox.programs), checkFurnishings(sandbox)];
}
