/** An option of a command. */
export interface OptionSpec {
  type: 'string' | 'boolean';
  short?: string;
  /** May be given several times. */
  multiple?: boolean;
  /** The name of its value in the help text. */
  value?: string;
  /** The only values it may have. */
  choices?: readonly string[];
  about: string;
}

/** Options by name. */
export type OptionTable = Readonly<Record<string, OptionSpec>>;

/** A command without the types of its arguments and options. */
export interface CommandShape {
  /** One to three words, as typed after `errand`. */
  name: string;
  /** One line for the list of commands. */
  summary: string;
  /** Arguments in order, with one sentence each. */
  args: Readonly<Record<string, string>>;
  options: OptionTable;
  /** Paragraphs that add to the summary. */
  details?: string;
  /** Whether the help text lists the settings, too. */
  hasSettings?: true;
  /** Command lines (without `errand`) and what they do. */
  examples: readonly (readonly [string, string])[];
}
