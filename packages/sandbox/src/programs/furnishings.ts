/** A program that agents expect, under any of its names, and the Debian package that brings it. */
interface Furnishing {
  /** The name by which models know it. */
  title: string;
  names: readonly string[];
  package: string;
}

/** The programs that agents usually need. */
export const usualPrograms: readonly Furnishing[] = [
  { title: 'git', names: ['git'], package: 'git' },
  { title: 'rg', names: ['rg'], package: 'ripgrep' },
  { title: 'jq', names: ['jq'], package: 'jq' },
  { title: 'pandoc', names: ['pandoc'], package: 'pandoc' },
  { title: 'soffice', names: ['soffice'], package: 'libreoffice' },
  { title: 'pdftotext', names: ['pdftotext'], package: 'poppler-utils' },
  { title: 'convert', names: ['convert', 'magick'], package: 'imagemagick' },
  { title: 'tesseract', names: ['tesseract'], package: 'tesseract-ocr' },
];

/** Python modules that agents import without asking, by name, and the packages that bring them. */
export const usualModules: Readonly<Record<string, string>> = {
  pandas: 'python3-pandas',
  numpy: 'python3-numpy',
  scipy: 'python3-scipy',
  matplotlib: 'python3-matplotlib',
  openpyxl: 'python3-openpyxl',
  docx: 'python3-docx',
  pptx: 'python-pptx, with pip',
  pypdf: 'python3-pypdf',
  lxml: 'python3-lxml',
  bs4: 'python3-bs4',
  pytest: 'python3-pytest',
  PIL: 'python3-pil',
};

/** Programs that models are told about if they are installed, but not if they are missing. */
export const extraPrograms = ['curl', 'ffmpeg', 'gcc', 'make', 'npm', 'pip3', 'sqlite3', 'unzip', 'zip'];
const ownPrograms = ['python3', 'node', 'espeak-ng'];

const sought = [...ownPrograms, ...usualPrograms.flatMap(({ names }) => names), ...extraPrograms];

/** Lines of a shell script that name each program that is there. */
export const findPrograms = [`for program in ${sought.join(' ')}; do hash $program 2>/dev/null && echo "has: $program"; done`];

const listing = `from importlib.util import find_spec
for name in "${Object.keys(usualModules).join(' ')}".split():
  if find_spec(name): print("module:", name)`;

/** A shell script that lists which Python modules are installed. It does not import them, which would take seconds. */
export const findModules = [`hash python3 2>/dev/null && python3 -c '${listing}' 2>/dev/null`];

export interface Furnishings {
  /** The programs, described for a model. */
  programs: string[];
  modules: string[];
  missing: string[];
  /** Packages that would bring what is missing. */
  packages: string[];
}

/** Lists which of the usual programs and modules a machine has. */
export function listFurnishings(found: { programs: readonly string[]; modules: readonly string[] }): Furnishings {
  const has = ({ names }: Furnishing) => names.some((name) => found.programs.includes(name));
  const hasPython = found.programs.includes('python3');
  const missingPrograms = usualPrograms.filter((program) => !has(program));
  const missingModules = hasPython ? Object.keys(usualModules).filter((name) => !found.modules.includes(name)) : [];
  return {
    programs: [
      ...usualPrograms.filter(has).map(({ title }) => title),
      ...extraPrograms.filter((name) => found.programs.includes(name)),
    ],
    modules: [...found.modules],
    missing: [...missingPrograms.map(({ title }) => title), ...missingModules],
    packages: [...missingPrograms.map((program) => program.package), ...missingModules.map((name) => usualModules[name] ?? name)],
  };
}
