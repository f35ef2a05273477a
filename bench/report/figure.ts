export const databaseKinds = ['embedded', 'postgres'] as const;
export type DatabaseKind = (typeof databaseKinds)[number];

/** Something that was measured. */
export interface Figure {
  /** What was measured, such as `task.create`. */
  name: string;
  database: DatabaseKind;
  value: number;
  /** Empty for a number of things. */
  unit: '/s' | 'ms' | 'µs' | 'MB' | 'KB' | '%' | '×' | '';
  /** What raw node:http did in the same run, in the same unit. */
  http?: number;
  /** What the bare database did in the same run, in the same unit. */
  bare?: number;
  /** What else is worth knowing, in a few words. */
  note?: string;
}
