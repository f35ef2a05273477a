import type { TwoStepTexts } from './two-step-texts-en.ts';

/** Spanish texts of the pages about two-step sign-in. */
export const twoStepTexts: TwoStepTexts = {
  title: 'Inicio de sesión en dos pasos',
  lead: 'Escribe el código que muestra tu aplicación de autenticación.',
  code: 'Código',
  recoveryLead: 'Escribe uno de tus códigos de recuperación. Cada uno sirve una vez.',
  recoveryCode: 'Código de recuperación',
  useRecovery: 'Usar un código de recuperación',
  useApp: 'Usar la aplicación de autenticación',
  submit: 'Continuar',
  lost: '¿No te quedan códigos? La administración de este servicio puede desactivar el inicio de sesión en dos pasos.',
  restart: 'Volver a empezar',
  wrong: 'Este código es incorrecto o ya se usó. Espera al siguiente y escríbelo.',
  tooMany: 'Demasiados intentos. Espera un poco o usa un código de recuperación.',
  expired: 'Pasaron más de 10 minutos. Inicia sesión de nuevo.',
  noSecret:
    'Los códigos solo se pueden comprobar cuando ERRAND_SECRET es igual en todos los procesos de este servicio. Mientras tanto sirve un código de recuperación.',
};
