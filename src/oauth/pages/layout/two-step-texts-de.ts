import type { TwoStepTexts } from './two-step-texts-en.ts';

/** German texts of the pages about two-step sign-in. */
export const twoStepTexts: TwoStepTexts = {
  title: 'Anmeldung in zwei Schritten',
  lead: 'Den Code eingeben, den die Authenticator-App anzeigt.',
  code: 'Code',
  recoveryLead: 'Einen Wiederherstellungscode eingeben. Jeder gilt einmal.',
  recoveryCode: 'Wiederherstellungscode',
  useRecovery: 'Wiederherstellungscode verwenden',
  useApp: 'Authenticator-App verwenden',
  submit: 'Weiter',
  lost: 'Keine Codes mehr? Die Administration dieses Dienstes kann die Anmeldung in zwei Schritten ausschalten.',
  restart: 'Von vorn beginnen',
  wrong: 'Dieser Code ist falsch oder wurde schon verwendet. Bitte den nächsten abwarten und eingeben.',
  tooMany: 'Zu viele Versuche. Bitte etwas warten oder einen Wiederherstellungscode verwenden.',
  expired: 'Das hat länger als 10 Minuten gedauert. Bitte neu anmelden.',
  noSecret:
    'Codes lassen sich erst prüfen, wenn ERRAND_SECRET in allen Prozessen dieses Dienstes gleich ist. Ein Wiederherstellungscode gilt auch jetzt.',
};
