import type { JoinTexts } from './join-texts-en.ts';

/** Spanish texts of the page that joins a team. */
export const joinTexts: JoinTexts = {
  title: (team) => `Unirte a ${team}`,
  lead: 'Elige una contraseña para crear tu cuenta.',
  email: 'Correo electrónico',
  password: 'Contraseña',
  again: 'Confirma la contraseña',
  submit: 'Crear cuenta',
  gone: 'Esta invitación ya no crea una cuenta. Se usó, se retiró o tiene más de siete días, o su dirección ya tiene una cuenta: entonces inicia sesión.',
};
