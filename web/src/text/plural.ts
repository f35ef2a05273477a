const rules = new Map<string, Intl.PluralRules>();

/** The form of a text that the language wants for this many; `other` where it has no form of its own. */
export function plural(language: string, count: number, forms: Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }) {
  const rule = rules.get(language) ?? new Intl.PluralRules(language);
  rules.set(language, rule);
  return forms[rule.select(count)] ?? forms.other;
}
