import type { passwordLinks as source } from '../en/password-links.ts';

export const passwordLinks: typeof source = {
  title: 'Contraseña',
  lead: 'Para quien olvidó su contraseña o nunca tuvo una. Establece una nueva con el enlace que le envíes.',
  make: 'Crear enlace de contraseña',
  made: (email) => `Enlace de contraseña para ${email}`,
  shownOnce:
    'Funciona una vez, durante 30 minutos, y quien lo tenga puede establecer la contraseña. Envíalo solo al titular de la cuenta.',
};
