import { expect, it } from 'vitest';
import { fieldsOf, findNames, readChoices, type RecipeField } from './template-fields.ts';

it('every name in a template is a field, in order, once', () => {
  expect(findNames('A {{length}} briefing about {{ topic }}, {{length}}, {{}}, {{1x}}, {{a b}} and {{x}')).toEqual([
    'length',
    'topic',
  ]);
});

it('a field that was set up keeps its settings, also while its name is not in the template', () => {
  const length: RecipeField = { name: 'length', type: 'choice', required: false, choices: ['short', 'long'] };
  const topic = { name: 'topic', type: 'text', required: true };
  expect(fieldsOf('{{length}} {{topic}}', [length])).toEqual([length, topic]);
  expect(fieldsOf('{{topic}}', [length])).toEqual([topic]);
});

it('a file that is only attached stays a field', () => {
  const file: RecipeField = { name: 'report', type: 'file', required: true };
  expect(fieldsOf('Summarize it.', [file])).toEqual([file]);
});

it('choices are the lines of a text', () => {
  expect(readChoices(' short \n\nthorough\nshort')).toEqual(['short', 'thorough']);
});
