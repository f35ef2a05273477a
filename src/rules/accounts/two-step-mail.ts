import { ownLanguageOf } from '../http/accept-language.ts';

/** The words of a mail. */
export interface AccountMailText {
  subject: string;
  text: string;
}

interface Words {
  subject: string;
  done: string;
  next: string;
}

const languages: Readonly<Record<ReturnType<typeof ownLanguageOf>, Words>> = {
  en: {
    subject: 'Two-step sign-in was turned off',
    done: 'An administrator of this service turned off two-step sign-in for your Errand account. You now sign in with your password alone.',
    next: 'If you didn’t ask for this, change your password and tell the administrator. You can turn two-step sign-in on again here:',
  },
  de: {
    subject: 'Anmeldung in zwei Schritten ausgeschaltet',
    done: 'Die Administration dieses Dienstes hat die Anmeldung in zwei Schritten für dieses Errand-Konto ausgeschaltet. Das Passwort allein genügt jetzt.',
    next: 'Nicht darum gebeten? Dann das Passwort ändern und die Administration informieren. Hier lässt sich die Anmeldung in zwei Schritten wieder einschalten:',
  },
  es: {
    subject: 'Se desactivó el inicio de sesión en dos pasos',
    done: 'La administración de este servicio desactivó el inicio de sesión en dos pasos de tu cuenta de Errand. Ahora basta con tu contraseña.',
    next: 'Si no lo pediste, cambia tu contraseña y avisa a la administración. Puedes volver a activarlo aquí:',
  },
  zh: {
    subject: '两步登录已关闭',
    done: '此服务的管理员关闭了你的 Errand 账户的两步登录。现在只需密码即可登录。',
    next: '如果不是你要求的，请更改密码并告知管理员。你可以在这里重新开启两步登录：',
  },
};

/** What tells a user that somebody who administers the instance turned two-step sign-in off. */
export function describeTwoStepRemoval(locale: string, settingsUrl: string): AccountMailText {
  const { subject, done, next } = languages[ownLanguageOf(locale)];
  return { subject, text: [done, next, settingsUrl].join('\n\n') };
}
