import { readdirSync } from 'node:fs';
import path from 'node:path';

/**
 * What is wrong with the numbers of migrations: each is taken once, and none is left out.
 * @param {readonly string[]} names
 */
export function checkMigrations(names) {
  const numbers = names.map((name) => Number(name.slice(0, 4))).toSorted((one, other) => one - other);
  return numbers.flatMap((number, index) => (number === index + 1 ? [] : [`migration ${number} should be ${index + 1}`]));
}

if (import.meta.main) {
  const [problem] = checkMigrations(readdirSync(path.join(import.meta.dirname, '../migrations')));
  if (problem !== undefined) {
    console.error(`${problem}\n    Numbers are given in the order of landing: take the next one that is free.`);
    process.exitCode = 1;
  }
}
