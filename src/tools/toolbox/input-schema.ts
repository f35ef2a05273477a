/**
 * A JSON Schema as the inputs of tools have them. `disclosure` is ours, put on a field by zod's `meta`: `later` leaves the field out of the
 * definition that every request carries, which then only names it; `briefly` puts words in place of what the field is made of: its
 * description, or else its shape. All of it is still taken, and `explain_tool` shows it.
 */
export interface Schema {
  type?: string | readonly string[];
  description?: string;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  prefixItems?: readonly Schema[];
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  disclosure?: 'later' | 'briefly';
  [keyword: string]: unknown;
}
