import type { notifications as source } from '../../en/settings/notifications.ts';

export const notifications: typeof source = {
  title: 'Benachrichtigungen',
  here: 'Dieses Gerät',
  hereLead: 'Hier Benachrichtigungen erhalten, auch wenn Errand nicht offen ist.',
  states: { unsupported: 'Nicht unterstützt', blocked: 'Blockiert', off: 'Aus', on: 'An' },
  stateHints: {
    unsupported:
      'Dieser Browser kann keine Benachrichtigungen empfangen. Auf iPhone oder iPad Errand zuerst zum Home-Bildschirm hinzufügen.',
    blocked:
      'Der Browser blockiert Benachrichtigungen dieser Website. In seinen Einstellungen erlauben, dann diese Seite neu laden.',
    off: 'An dieses Gerät wird nichts gesendet.',
    on: 'Bis zum Abmelden erscheinen Benachrichtigungen auf diesem Gerät.',
  },
  start: 'Einschalten',
  stop: 'Ausschalten',
  tryOut: 'Test senden',
  started: 'Benachrichtigungen sind an.',
  stopped: 'Benachrichtigungen sind aus.',
  notAllowed: 'Benachrichtigungen wurden nicht erlaubt.',
  tried: 'Test gesendet.',
  topics: 'Was und wohin',
  topicsLead: 'Gilt für alle eigenen Geräte.',
  topicNames: {
    questions: 'Fragen, Freigaben und Anmeldungen',
    budget: 'Aufgebrauchte Budgets',
    failures: 'Fehlgeschlagene Aufgaben',
    finished: 'Fertige Aufgaben',
  },
  channels: { push: 'Geräte', email: 'E-Mail', chat: 'Verknüpfte Chats' },
  noMail: 'E-Mails gibt es, sobald die Serververwaltung einen Mailserver einrichtet.',
  quiet: 'Ruhezeiten',
  quietLead: 'Was in dieser Zeit geschieht, wird danach gesendet, sofern es nicht schon erledigt ist.',
  quietSwitch: 'Zu bestimmten Zeiten nicht benachrichtigen',
  quietFrom: 'Von',
  quietTo: 'Bis',
  zone: (zone) => `Zeitzone: ${zone}`,
  digest: 'Zusammenfassung',
  digestLead: 'Eine E-Mail mit allem, was fertig wurde, scheiterte oder wartet. Gibt es nichts zu berichten, kommt keine.',
  digestPeriod: 'Wie oft',
  digests: { none: 'Nie', daily: 'Täglich', weekly: 'Jeden Montag' },
  digestTime: 'Um',
};
