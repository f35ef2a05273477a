import type { Recipe } from '@errand/client';
import { expect, it } from 'vitest';
import { askFor, enterValue, readRecipeSource, toSource } from './recipe-choice.tsx';

const copied = { recipe: readRecipeSource({ recipe_id: 'r', values: { topic: 'tea', tone: '' } }), text: 'About tea' };
const none = { recipe: readRecipeSource(null), text: '' };
const toMessage = (content: string) => ({ message: content });

it.each([
  ['nothing of a form that stays', copied, copied, null],
  ['nothing of a field that is emptied twice', { ...copied, recipe: { id: 'r', values: { topic: 'tea' } } }, copied, null],
  [
    'a recipe that is chosen',
    { ...none, recipe: { id: 'r', values: { topic: 'tea', file: null } } },
    none,
    { recipe_id: 'r', values: { topic: 'tea' } },
  ],
  [
    'a value that is changed',
    { ...copied, recipe: { id: 'r', values: { topic: 'rain' } } },
    copied,
    { recipe_id: 'r', values: { topic: 'rain' } },
  ],
  ['the copied message of a recipe that is let go', { ...copied, recipe: none.recipe }, copied, { message: 'About tea' }],
  ['the message of a recipe that is gone', { ...copied, text: 'About rain' }, copied, { message: 'About rain' }],
])('a request says %s', (_, form, before, expected) => {
  expect(toSource(form, before, toMessage)).toEqual(expected);
});

it('a value that is entered takes the place of those whose fields the recipe no longer has', () => {
  const recipe = { fields: [{ name: 'topic', type: 'text' as const, required: true }] };
  expect(enterValue(copied.recipe, recipe, 'topic', 'rain')).toEqual({ id: 'r', values: { topic: 'rain' } });
});

it('asks for a field that its recipe has got since only once a value is changed', () => {
  const fields = ['topic', 'reader'].map((name) => ({ name, type: 'text' as const, required: true }));
  const asked = (draft: typeof copied.recipe) =>
    askFor({ fields } as Recipe, draft, copied.recipe).fields.map(({ required }) => required);
  expect(asked({ id: 'r', values: { topic: 'tea', reader: '' } })).toEqual([true, false]);
  expect(asked({ id: 'r', values: { topic: 'rain' } })).toEqual([true, true]);
});
