/** Entries of a workspace that a copy of it lacks: how many, and the first of them with the reason. */
export interface LeftOutFiles {
  count: number;
  files: readonly { path: string; reason: string }[];
}

/** More are not listed. */
const maxListed = 20;

const reasonTexts: Record<string, string> = {
  changed: 'it changed while it was copied',
  special: 'sockets, pipes and devices are not copied',
  too_deep: 'nested too deeply',
  too_large: 'too large for a copy',
  too_many: 'more files than a copy may have',
  unreadable: 'it could not be read',
  unusable_name: 'a name that no path may have',
  vanished: 'it disappeared while it was copied',
};

/** Tells the agent and its reader which files were left out. */
export function describeLeftOut({ count, files }: LeftOutFiles): string {
  const listed = files.slice(0, maxListed);
  const lines = listed.map(({ path, reason }) => `- ${JSON.stringify(path)}: ${reasonTexts[reason] ?? reason}`);
  const rest = count > listed.length ? [`- ${count - listed.length} more`] : [];
  const heading =
    'The workspace was restored from a copy. These files and folders could not be part of it and are gone or incomplete:';
  return [heading, ...lines, ...rest].join('\n');
}
