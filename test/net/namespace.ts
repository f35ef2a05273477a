import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Child } from '../support/process/child.ts';

/** The public address of the machine inside. */
export const ownAddress = '93.184.216.99';

/**
 * A separate network in which every address leads to the machine itself: a connection to any of them arrives,
 * and nothing leaves.
 */
const setUp = [
  'ip link set lo up',
  `ip address add ${ownAddress}/32 dev lo`,
  'ip route add local 0.0.0.0/0 dev lo',
  'ip -6 route add local ::/0 dev lo',
].join(' && ');

const ways: readonly (readonly string[])[] = [
  ['--net', '--'],
  ['--user', '--map-root-user', '--net', '--'],
];

/** How to enter such a network on this machine, or null where it cannot be had (not Linux, no `ip`, not permitted). */
export function findNamespaceWay(): readonly string[] | null {
  return ways.find((way) => spawnSync('unshare', [...way, 'sh', '-c', setUp], { timeout: 240_000 }).status === 0) ?? null;
}

/**
 * Runs a program of this folder inside and returns what it prints as its last line, parsed.
 * @param env what the program finds in its environment beside the search path
 */
export async function runInside(way: readonly string[], program: string, env: Record<string, string>): Promise<unknown> {
  const script = fileURLToPath(new URL(program, import.meta.url));
  const command = [...way, 'sh', '-c', `${setUp} && exec "$0" "$1"`, process.execPath, script];
  const child = await Child.start('unshare', command, { env: { PATH: process.env['PATH'] ?? '', ...env }, cwd: '/' });
  const { code } = await child.ended;
  const output = child.lines.filter(({ source }) => source === 'stdout').at(-1)?.text;
  if (code !== 0 || output === undefined) throw new Error(child.lines.map(({ text }) => text).join('\n'));
  return JSON.parse(output);
}
