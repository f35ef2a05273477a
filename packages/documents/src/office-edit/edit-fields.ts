import { invalidField } from '@errand/base/fault.ts';
import type { EditName, OfficeEdit } from './edit-spec.ts';

type Field = Exclude<keyof OfficeEdit, 'do'>;

/** The fields of an edit: those it cannot do without, and the others that it takes. */
export interface EditShape {
  needs: readonly Field[];
  takes?: readonly Field[];
}

export type EditShapes = Readonly<Partial<Record<EditName, EditShape>>>;

/** Throws a Fault for an edit that is none for this kind of file, lacks a field, or has one that would have no effect. */
export function checkFields(edit: OfficeEdit, shapes: EditShapes, kind: string): void {
  const shape = shapes[edit.do];
  if (!shape) throw invalidField('do', `is no edit of ${kind}. There are ${Object.keys(shapes).join(', ')}.`);
  const { needs, takes = [] } = shape;
  const lacking = needs.find((field) => edit[field] === undefined);
  if (lacking !== undefined) throw invalidField(lacking, `is missing; ${edit.do} needs ${needs.join(' and ')}.`);
  const given = Object.entries(edit).flatMap(([field, value]) => (value === undefined || field === 'do' ? [] : [field as Field]));
  const useless = given.find((field) => !needs.includes(field) && !takes.includes(field));
  if (useless === undefined) return;
  const known = [...needs, ...takes];
  throw invalidField(
    useless,
    `has no effect on ${edit.do}, which ${known.length === 0 ? 'takes no fields' : `takes ${known.join(', ')}`}.`,
  );
}
