import { isJsonObject } from '@errand/base/json-object.ts';
import { invalidField } from '@errand/base/fault.ts';
import { findNearestName } from '@errand/base/text/nearest-name.ts';
import type { MissingWay } from '../edit-spec.ts';
import { cleanText } from '../../clean-text.ts';

/** The values of a template: those of an item before those around it. */
export class TemplateValues {
  readonly #scopes: readonly unknown[];
  readonly #missing: MissingWay;
  /** Names that were looked up and not found. */
  readonly absent: Set<string>;
  readonly used: Set<string>;

  constructor(scopes: readonly unknown[], missing: MissingWay, shared?: TemplateValues) {
    this.#scopes = scopes;
    this.#missing = missing;
    this.absent = shared?.absent ?? new Set();
    this.used = shared?.used ?? new Set();
  }

  within(item: unknown): TemplateValues {
    return new TemplateValues([item, ...this.#scopes], this.#missing, this);
  }

  /** The text of a field; null if it is to stay as it is. */
  text(name: string): string | null {
    const value = this.#find(name);
    if (value === undefined) {
      this.absent.add(name);
      return this.#missing === 'empty' ? '' : null;
    }
    if (value === null) return '';
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
      throw invalidField('values', `${name} is a list or an object; {{${name}}} needs a text or a number.`);
    return cleanText(String(value));
  }

  /** A value for a cell, with its type: a number stays a number. */
  value(name: string): string | number | boolean | null {
    const text = this.text(name);
    const value = text === null ? null : this.#find(name);
    return typeof value === 'number' || typeof value === 'boolean' ? value : text;
  }

  /** What a section is repeated for: the items of a list, once for anything else that is there and not false. */
  items(name: string): readonly unknown[] {
    const value = this.#find(name);
    if (value === undefined) {
      this.absent.add(name);
      return [];
    }
    if (Array.isArray(value)) return value;
    return value === null || value === false || value === '' || value === 0 ? [] : [value];
  }

  #find(path: string): unknown {
    const [first = '', ...rest] = path === '.' ? ['.'] : path.split('.');
    const holder =
      first === '.' ? this.#scopes[0] : this.#scopes.find((scope) => isJsonObject(scope) && Object.hasOwn(scope, first));
    if (first === '.') return holder;
    if (!isJsonObject(holder)) return undefined;
    if (holder === this.#scopes.at(-1)) this.used.add(first);
    return rest.reduce<unknown>(
      (value, key) => (isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
      holder[first],
    );
  }

  /** Throws a Fault for fields without a value, if those are an error; returns the names of values that no field took. */
  check(): string[] {
    const all = this.#scopes.at(-1);
    const given = isJsonObject(all) ? Object.keys(all) : [];
    if (this.#missing === 'error' && this.absent.size > 0) {
      const names = [...this.absent].slice(0, 20).map((name) => {
        const nearest = findNearestName(name, given);
        return nearest === null ? name : `${name} (there is ${JSON.stringify(nearest)})`;
      });
      throw invalidField('values', `has nothing for ${names.join(', ')}. Add it, or set missing to "keep" or "empty".`);
    }
    return given.filter((name) => !this.used.has(name));
  }
}
