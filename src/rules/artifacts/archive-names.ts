const longestName = 200;

/** Names that Windows reserves for devices, whatever follows their dot. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** A name that cannot escape the folder it is unpacked into, on any system. */
function cleanName(name: string): string {
  const clean = name
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Bidi_Control}"*/:<>?\\|]/gu, '_')
    .replace(/^[ .]+/, '')
    .replace(/[ .]+$/, '');
  const [stem, ending] = splitEnding(clean);
  const short = `${stem.slice(0, longestName)}${ending}`.toWellFormed();
  if (short === '') return 'file';
  return reserved.test(short) ? `_${short}` : short;
}

function splitEnding(name: string): [stem: string, ending: string] {
  const dot = name.lastIndexOf('.');
  return dot > 0 && name.length - dot <= 20 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
}

/**
 * The names of files in one folder: unique, also on case-insensitive systems. Of several files with one
 * name the second becomes `name (2).md`.
 */
export function nameArchiveFiles(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const clean = cleanName(name);
    const [stem, ending] = splitEnding(clean);
    let chosen = clean;
    for (let count = 2; taken.has(chosen.toLowerCase()); count += 1) chosen = `${stem} (${count})${ending}`;
    taken.add(chosen.toLowerCase());
    return chosen;
  });
}

/** The file name of an archive with this title. */
export function nameArchive(title: string): string {
  return `${cleanName(title).slice(0, 100).trim().toWellFormed() || 'files'}.zip`;
}
