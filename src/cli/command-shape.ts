export interface OptionSpec {
  type: 'string' | 'boolean';
  short?: string;
  /** May be given several times. */
  multiple?: boolean;
  /** What its value is called in the help text. */
  value?: string;
  /** The only values it may have. */
  choices?: readonly string[];
  about: string;
}

export type OptionTable = Readonly<Record<string, OptionSpec>>;

/** A command without the types of what it takes. */
export interface CommandShape {
  /** One word or two, as typed after `errand`. */
  name: string;
  /** One line for the list of commands. */
  summary: string;
  /** What it takes, in order, with one sentence each. */
  args: Readonly<Record<string, string>>;
  options: OptionTable;
  /** More than the summary says; paragraphs. */
  details?: string;
  /** Command lines (without `errand`) and what they do. */
  examples: readonly (readonly [string, string])[];
}
