import type { PasswordTexts } from './password-texts-en.ts';

/** Spanish texts of the pages about passwords. */
export const passwordTexts: PasswordTexts = {
  forgot: '¿Olvidaste tu contraseña?',
  title: 'Restablecer la contraseña',
  lead: 'Escribe el correo de tu cuenta. Te enviaremos un enlace para establecer una contraseña nueva.',
  email: 'Correo electrónico',
  send: 'Enviar enlace',
  tooMany: 'Demasiadas solicitudes. Espera un momento e inténtalo de nuevo.',
  sentTitle: 'Revisa tu correo',
  sent: 'Si hay una cuenta con contraseña para este correo, te llegará un enlace. Funciona una vez, durante 30 minutos.',
  notHere:
    'Este servicio no envía correos. Pide a un propietario de esta instancia un enlace para establecer una contraseña nueva.',
  toSignIn: 'Volver al inicio de sesión',
  setTitle: 'Establecer una contraseña nueva',
  setLead: (email) => `Para ${email}. Se cerrarán todas tus sesiones.`,
  password: 'Contraseña nueva',
  hint: 'al menos 8 caracteres',
  again: 'Confirmar la contraseña nueva',
  save: 'Establecer contraseña',
  differ: 'Las contraseñas no coinciden.',
  wrong: () => 'La contraseña debe tener entre 8 y 200 caracteres.',
  brokenTitle: 'Este enlace no funciona',
  broken: 'Ya se usó o tiene más de 30 minutos. Pide uno nuevo.',
  doneTitle: 'Contraseña establecida',
  done: 'Ya puedes iniciar sesión con tu contraseña nueva.',
  signIn: 'Iniciar sesión',
  mail: {
    subject: 'Establece una contraseña nueva para Errand',
    text: (url) =>
      [
        'Alguien pidió una contraseña nueva para tu cuenta de Errand. Para establecerla, abre este enlace antes de 30 minutos:',
        url,
        'Si no fuiste tú, ignora este correo. Tu contraseña no cambia.',
      ].join('\n\n'),
  },
};
