import type { Check } from '../../doctor/check.ts';
import { exitCode } from '../exit-code.ts';
import { formatTable, printReport } from '../output/print.ts';
import { controlSocketPath, isServed } from '../transport/control-socket.ts';
import { commit, version } from '@errand/base/program-version.ts';
import { defineCommand } from './command.ts';

function describe(checks: readonly Check[]): string {
  const rows = checks.flatMap(({ state, name, found, remedy }) => [
    [state, name, found],
    ...(remedy === undefined ? [] : [['', '', `→ ${remedy}`]]),
  ]);
  return formatTable(rows);
}

/** `errand doctor` */
export const doctor = defineCommand({
  name: 'doctor',
  summary: 'Check what the service needs and how to get what is missing.',
  details: `Changes nothing. Asks each configured model one short question, which costs a few tokens.
Exit code: 0 if the service can run, perhaps with fewer features; 1 if it cannot.`,
  examples: [['doctor', 'before the first start, or when something does not work']],
  async run({ config, clock, nodeVersion, ...streams }, { options }) {
    const { examine } = await import('../../doctor/examine.ts');
    const isRunning = () => isServed(controlSocketPath(config.dataDir)).catch(() => false);
    const checks = await examine({ config, clock, nodeVersion, isServed: isRunning });
    const ok = checks.every(({ state }) => state !== 'failed');
    return printReport(streams, options.json, {
      text: `${describe(checks)}\n\n${ok ? 'errand can run.' : 'errand cannot run yet.'}`,
      json: { ok, version, commit, checks },
      exit: ok ? exitCode.done : exitCode.failed,
    });
  },
});
