import type { FaultCode } from '@errand/base/fault.ts';
import type { SignInRefusal } from '../../../rules/accounts/sign-in-policy.ts';
import { html } from './html.ts';
import type { Texts } from './page-texts-en.ts';
import { joinTexts } from './join-texts-de.ts';
import { passwordTexts } from './password-texts-de.ts';
import { twoStepTexts } from './two-step-texts-de.ts';

const tooMany = 'Zu viele Versuche. Bitte später erneut versuchen.';

const faults: Readonly<Record<FaultCode, string>> = {
  invalid_argument: 'Die Anfrage ist fehlerhaft.',
  unauthenticated: 'Nicht angemeldet.',
  permission_denied: 'Das ist diesem Konto nicht erlaubt.',
  not_found: 'Diese Seite gibt es nicht.',
  conflict: 'Das steht im Konflikt mit etwas anderem. Bitte erneut versuchen.',
  failed_precondition: 'Das ist im jetzigen Zustand nicht möglich.',
  payload_too_large: 'Das Gesendete ist zu groß.',
  resource_exhausted: 'Zu viele Anfragen. Bitte später erneut versuchen.',
  internal: 'Im Dienst ist ein Fehler aufgetreten.',
  unavailable: 'Der Dienst ist gerade nicht verfügbar. Bitte später erneut versuchen.',
};

function refuse(refusal: SignInRefusal, email: string | null, name: string): string {
  const problems: Readonly<Record<SignInRefusal, string>> = {
    unverified:
      email === null
        ? `${name} hat keine E-Mail-Adresse mitgeteilt. Dort eine hinterlegen oder die Serververwaltung fragen.`
        : `${name} hat ${email} nicht bestätigt. Dort bestätigen oder die Serververwaltung fragen.`,
    domain: `${email ?? 'Diese E-Mail-Adresse'} darf sich hier nicht anmelden. Bei ${name} ein anderes Konto wählen oder die Serververwaltung fragen.`,
    none: `${email === null ? 'Hier gibt es noch kein Konto' : `Für ${email} gibt es hier kein Konto`}. Die Serververwaltung kann eines anlegen.`,
    taken: `${email === null ? 'Das Konto' : `Das Konto von ${email}`} ist mit einer anderen Identität bei ${name} verknüpft. Die Serververwaltung kann das lösen.`,
  };
  return problems[refusal];
}

export const de: Texts = {
  tag: 'de',
  page: {
    skip: 'Zum Inhalt springen',
    signOut: 'Abmelden',
    reference: 'Referenz:',
    toFirst: 'Zur Startseite',
  },
  fault: {
    title: 'Etwas ist schiefgelaufen',
    titles: {
      not_found: 'Seite nicht gefunden',
      internal: 'Etwas ist schiefgelaufen',
      unavailable: 'Gleich noch einmal versuchen',
    },
    explain: (code) => faults[code],
    nothingHere: 'Diese Seite gibt es nicht.',
    formExpired: 'Das Formular ist abgelaufen oder kam nicht von dieser Seite. Zurückgehen, neu laden und erneut versuchen.',
    formSilent: 'Dem Formular fehlt die Aktion.',
    preview: {
      nothing:
        'An diesem Port antwortet kein Server. Vielleicht ist er beendet, oder der Agent arbeitet gerade nicht an der Aufgabe.',
      busy: 'Beim Server sind zu viele Anfragen offen. Die Seite gleich noch einmal laden.',
      broken: 'Die Antwort des Servers war nicht lesbar: kein HTTP, zu langsam oder abgebrochen.',
      elsewhere: 'Der Server leitet an einen anderen Ort weiter. Die Vorschau zeigt nur den Server selbst.',
    },
  },
  signIn: {
    title: 'Anmelden',
    email: 'E-Mail',
    password: 'Passwort',
    submit: 'Anmelden',
    continueWith: (name) => `Weiter mit ${name}`,
    orPassword: 'oder mit Passwort',
    wrong: 'E-Mail oder Passwort ist falsch.',
    disabled: 'Dieses Konto ist gesperrt. Der Betreiber dieses Dienstes kann es entsperren.',
    tooMany,
    noPasswords: 'Die Anmeldung mit Passwort ist ausgeschaltet.',
    passwordTooLong: 'Das Passwort darf höchstens 1000 Zeichen haben.',
  },
  password: passwordTexts,
  twoStep: twoStepTexts,
  passkey: {
    or: 'oder',
    submit: 'Mit einem Passkey anmelden',
    notUsed: 'Es wurde kein Passkey verwendet. Bitte noch einmal versuchen oder das Passwort eingeben.',
    wrong:
      'Dieser Passkey gilt hier nicht mehr, oder die Seite war zu lange offen. Bitte noch einmal versuchen oder das Passwort eingeben.',
  },
  join: joinTexts,
  setUp: {
    heading: 'Willkommen bei Errand',
    title: 'Einrichten',
    lead: 'Das Konto des Inhabers anlegen.',
    email: 'E-Mail',
    password: 'Passwort',
    passwordHint: 'mindestens 8 Zeichen',
    again: 'Passwort bestätigen',
    submit: 'Konto anlegen',
    differ: 'Die Passwörter stimmen nicht überein.',
    wrongEmail: () => 'Bitte eine gültige E-Mail-Adresse eingeben.',
    wrongPassword: () => 'Das Passwort muss 8 bis 200 Zeichen haben.',
    nothing: 'Die Einrichtung ist abgeschlossen oder hier nicht möglich.',
  },
  consent: {
    title: (name) => `${name} verbinden`,
    heading: (name) => `${name} verbinden?`,
    signedInAs: (email) => `Angemeldet als ${email}.`,
    asks: (app, site) => html`${app}${site && html` (${site})`} möchte:`,
    everything: html`<strong>Zugriff auf alles im Konto</strong>: alle Aufgaben, Projekte, Dateien, Agenten und Websites lesen und ändern. Diese App gilt als vertrauenswürdig und ist nicht auf einzelne Berechtigungen beschränkt.`,
    scopes: {
      create_task: 'Im eigenen Namen Aufgaben anlegen; von der App angelegte lesen und löschen und ihnen Nachrichten senden.',
      manage_all_tasks:
        'Alle Aufgaben und ihre Ergebnisse lesen und löschen und ihnen Nachrichten senden, auch wenn die App sie nicht angelegt hat.',
      create_project: 'Projekte anlegen und auflisten.',
      use_connectors: 'Die hier gewählten Konnektoren in ihren Aufgaben verwenden.',
      use_my_browsers: 'Sehen, welche eigenen Browser online sind, und sie in ihren Aufgaben verwenden.',
    },
    sentTo: (target) =>
      html`Danach geht es zurück zu ${target}. Unter <em>Verbundene Apps</em> lässt sich der Zugriff jederzeit widerrufen.`,
    program: (scheme) => html`dem Programm auf diesem Gerät, das Links mit ${scheme} öffnet`,
    allow: 'Erlauben',
    deny: 'Ablehnen',
    notForYou: (name) => `${name} ist für dieses Konto nicht verfügbar`,
    notForYouTitle: 'Für dieses Konto nicht verfügbar',
    notForYouBody: (email) => `Diese App gehört einem anderen Team. Angemeldet als ${email}.`,
    back: 'Zurück zur App',
    brokenLink: 'Dieser Link funktioniert nicht',
    mistakes: {
      no_client_id: 'In der URL fehlt client_id.',
      unknown_client: 'Mit dieser client_id ist hier keine App registriert.',
      no_redirect_uri: 'In der URL fehlt redirect_uri.',
      foreign_redirect_uri: 'Die App hat diese redirect_uri nicht registriert.',
    },
  },
  connectors: {
    none: 'Noch gibt es keine Konnektoren.',
    legend: 'Konnektoren, die ihre Aufgaben nutzen dürfen',
    title: (name) => `Konnektoren für ${name}`,
    connected: (app) => html`${app} ist mit dem Konto verbunden.`,
    save: 'Speichern',
    noQuestion: 'Diese App verwendet keine Konnektoren.',
    noQuestionOf: (name) => `${name} verwendet keine Konnektoren.`,
    saved: (name) => `${name} darf jetzt die gewählten Konnektoren verwenden.`,
    notConnected: 'Mit dieser client_id ist keine App mit dem Konto verbunden.',
    notSignedIn: 'Die Anmeldung wurde abgebrochen oder ist gescheitert. Nichts wurde geändert.',
    noAnswer: 'Das ist keine gültige Antwort des Servers.',
  },
  device: {
    title: 'Gerät verbinden',
    code: 'Code',
    codeHint: 'auf dem Gerät angezeigt',
    continue: 'Weiter',
    asks: (app, code) => html`${app} auf dem Gerät, das ${code} anzeigt, möchte:`,
    beware: 'Nur fortfahren, wenn dies gerade selbst an einem Gerät in Sichtweite begonnen wurde.',
    unknown: 'Kein Gerät wartet auf diesen Code. Er ist vielleicht abgelaufen; bitte am Gerät neu beginnen.',
    connected: (name) => `${name} ist verbunden. Am Gerät geht es weiter.`,
    refused: (name) => `Der Zugriff für ${name} wurde abgelehnt.`,
  },
  sso: {
    tooMany,
    noSecret: 'Diese Anmeldung geht erst, wenn ERRAND_SECRET für alle Prozesse dieses Dienstes gleich ist.',
    foreign: 'Diese Anmeldung begann anderswo, dauerte über 10 Minuten oder wurde schon benutzt. Bitte neu beginnen.',
    unreachable: (name) => `${name} antwortet nicht. Bitte in einer Minute erneut versuchen.`,
    broken: (name) =>
      `Die Anmeldung mit ${name} funktioniert nicht. Die Serververwaltung findet mehr im Log und mit errand doctor.`,
    clock: (name) => `Die Uhren dieses Dienstes und von ${name} gehen verschieden. Die Serververwaltung muss sie stellen.`,
    denied: (name) => `${name} hat die Anmeldung nicht abgeschlossen. Nichts wurde geändert.`,
    refuse,
    notLinked: () =>
      'Dieses Konto ist schon mit einer anderen Identität verknüpft, oder diese Identität mit einem anderen Konto. Die Verknüpfung dort zuerst lösen.',
    on: (name) => `Weiter zu ${name}`,
    title: (name) => `Mit ${name} anmelden`,
    linked: (name, email) => html`Die Anmeldung bei diesem Konto geht jetzt mit ${name}${email && html` als ${email}`}.`,
    toSettings: 'Zurück zu den Einstellungen',
    linkLead: (name, email) =>
      html`Die Anmeldung beim Konto von ${email} geht dann mit ${name}, auch wenn die E-Mail-Adresse dort eine andere ist.`,
    link: (name) => `${name} verknüpfen`,
  },
};
