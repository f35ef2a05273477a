/**
 * A JSON Schema for tool inputs. `disclosure` is our own keyword, set by zod's `meta`: `later` omits a field from the definition sent with
 * every request, which then only names it; `bare` omits its description; `briefly` replaces the field's schema by its description, or else its shape;
 * `asking` omits a field where no person can confirm what it asks for.
 * The input still accepts all of it, and `explain_tool` shows it.
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
  disclosure?: 'later' | 'bare' | 'briefly' | 'asking';
  [keyword: string]: unknown;
}
