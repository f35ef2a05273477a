const rules = new Map<string, Intl.PluralRules>();

/** The plural form for a number; `other` if it has no form of its own. */
export function plural(language: string, count: number, forms: Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }) {
  const rule = rules.get(language) ?? new Intl.PluralRules(language);
  rules.set(language, rule);
  return forms[rule.select(count)] ?? forms.other;
}
