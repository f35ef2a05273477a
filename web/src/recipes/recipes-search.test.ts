import { describe, expect, it } from 'vitest';
import { readRecipesSearch, valuesOf } from './recipes-search.ts';

describe('the link to a recipe', () => {
  it('names the recipe and what its fields begin with', () => {
    const search = readRecipesSearch({
      recipe: '0Ab',
      'values.topic': 'tea',
      'values.year': 2027,
      'values.none': '',
      other: 'x',
    });
    expect(search).toEqual({ recipe: '0Ab', 'values.topic': 'tea', 'values.year': '2027' });
    expect(valuesOf(search)).toEqual({ topic: 'tea', year: '2027' });
  });

  it('leaves out what is no text', () => {
    expect(readRecipesSearch({ recipe: ['x'], from: {}, 'values.topic': null })).toEqual({});
  });
});
