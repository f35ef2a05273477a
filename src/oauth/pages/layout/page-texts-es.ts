import type { FaultCode } from '@errand/base/fault.ts';
import type { SignInRefusal } from '../../../rules/accounts/sign-in-policy.ts';
import { html } from './html.ts';
import type { Texts } from './page-texts-en.ts';
import { joinTexts } from './join-texts-es.ts';
import { passwordTexts } from './password-texts-es.ts';
import { twoStepTexts } from './two-step-texts-es.ts';

const tooMany = 'Demasiados intentos. Espera un poco e inténtalo de nuevo.';

const faults: Readonly<Record<FaultCode, string>> = {
  invalid_argument: 'La petición no es correcta.',
  unauthenticated: 'No has iniciado sesión.',
  permission_denied: 'No tienes permiso para hacer esto.',
  not_found: 'Esta página no existe.',
  conflict: 'Entra en conflicto con otra operación. Inténtalo de nuevo.',
  failed_precondition: 'No es posible en el estado actual.',
  payload_too_large: 'Lo enviado es demasiado grande.',
  resource_exhausted: 'Demasiadas peticiones. Inténtalo más tarde.',
  internal: 'Hubo un error en el servicio.',
  unavailable: 'El servicio no está disponible ahora. Inténtalo más tarde.',
};

function refuse(refusal: SignInRefusal, email: string | null, name: string): string {
  const problems: Readonly<Record<SignInRefusal, string>> = {
    unverified:
      email === null
        ? `${name} no compartió tu correo. Añade uno allí o consulta a la administración del servidor.`
        : `${name} no ha verificado ${email}. Verifícalo allí o consulta a la administración del servidor.`,
    domain: `${email ?? 'Tu correo'} no puede iniciar sesión aquí. Elige otra cuenta en ${name} o consulta a la administración del servidor.`,
    none: `${email === null ? 'Aún no tienes cuenta aquí' : `No hay ninguna cuenta de ${email}`}. Pide a la administración del servidor que cree una.`,
    taken: `${email === null ? 'Tu cuenta' : `La cuenta de ${email}`} está vinculada a otra identidad de ${name}. Pide a la administración del servidor que la desvincule.`,
  };
  return problems[refusal];
}

export const es: Texts = {
  tag: 'es',
  page: {
    skip: 'Saltar al contenido',
    signOut: 'Cerrar sesión',
    reference: 'Referencia:',
    toFirst: 'Ir al inicio',
  },
  fault: {
    title: 'Algo salió mal',
    titles: {
      not_found: 'Página no encontrada',
      internal: 'Algo salió mal',
      unavailable: 'Inténtalo en un momento',
    },
    explain: (code) => faults[code],
    nothingHere: 'Esta página no existe.',
    formExpired: 'El formulario ha caducado o no venía de esta página. Vuelve atrás, recarga la página e inténtalo de nuevo.',
    formSilent: 'Al formulario le falta la acción.',
    preview: {
      nothing:
        'Ningún servidor responde en este puerto. Puede que haya terminado, o que el agente no esté trabajando en la tarea ahora.',
      busy: 'El servidor tiene demasiadas peticiones abiertas. Recarga la página en un momento.',
      broken: 'No se pudo leer la respuesta del servidor: no es HTTP, tardó demasiado o se cortó.',
      elsewhere: 'El servidor redirige a otro lugar. La vista previa solo muestra el propio servidor.',
    },
  },
  signIn: {
    title: 'Iniciar sesión',
    email: 'Correo',
    password: 'Contraseña',
    submit: 'Iniciar sesión',
    continueWith: (name) => `Continuar con ${name}`,
    orPassword: 'o con contraseña',
    wrong: 'El correo o la contraseña no son correctos.',
    disabled: 'Esta cuenta está desactivada. Quien opera este servicio puede reactivarla.',
    tooMany,
    noPasswords: 'El inicio de sesión con contraseña está desactivado.',
    passwordTooLong: 'La contraseña puede tener como máximo 1000 caracteres.',
  },
  password: passwordTexts,
  twoStep: twoStepTexts,
  passkey: {
    or: 'o',
    submit: 'Iniciar sesión con una llave de acceso',
    notUsed: 'No se usó ninguna llave de acceso. Inténtalo de nuevo o escribe tu contraseña.',
    wrong:
      'Esta llave de acceso ya no sirve aquí, o la página estuvo abierta demasiado tiempo. Inténtalo de nuevo o escribe tu contraseña.',
  },
  join: joinTexts,
  setUp: {
    heading: 'Te damos la bienvenida a Errand',
    title: 'Configuración',
    lead: 'Crea la cuenta del propietario.',
    email: 'Correo',
    password: 'Contraseña',
    passwordHint: 'al menos 8 caracteres',
    again: 'Confirmar contraseña',
    submit: 'Crear cuenta',
    differ: 'Las contraseñas no coinciden.',
    wrongEmail: () => 'Escribe una dirección de correo válida.',
    wrongPassword: () => 'La contraseña debe tener entre 8 y 200 caracteres.',
    nothing: 'La configuración ya está hecha o no está disponible aquí.',
  },
  consent: {
    title: (name) => `Conectar ${name}`,
    heading: (name) => `¿Conectar ${name}?`,
    signedInAs: (email) => `Sesión iniciada como ${email}.`,
    asks: (app, site) => html`${app}${site && html` (${site})`} quiere:`,
    everything: html`<strong>Acceder a todo en tu cuenta</strong>: leer y cambiar todas tus tareas, proyectos, archivos, agentes y sitios web. Es una app de confianza y no se limita a permisos concretos.`,
    scopes: {
      create_task: 'Crear tareas en tu nombre, y leer, eliminar y enviar mensajes a las que creó.',
      manage_all_tasks: 'Leer, eliminar y enviar mensajes a todas tus tareas y sus resultados, también las que no creó.',
      create_project: 'Crear proyectos y enumerar los tuyos.',
      use_connectors: 'Usar en sus tareas los conectores que elijas aquí.',
      use_my_browsers: 'Ver cuáles de tus navegadores están en línea y usarlos en sus tareas.',
    },
    sentTo: (target) => html`Volverás a ${target}. Puedes revocar el acceso cuando quieras en <em>Apps conectadas</em>.`,
    program: (scheme) => html`el programa de tu dispositivo que abre enlaces ${scheme}`,
    allow: 'Permitir',
    deny: 'Denegar',
    notForYou: (name) => `${name} no está disponible para esta cuenta`,
    notForYouTitle: 'No disponible para esta cuenta',
    notForYouBody: (email) => `Esta app es de otro equipo. Sesión iniciada como ${email}.`,
    back: 'Volver a la app',
    brokenLink: 'Este enlace no funciona',
    mistakes: {
      no_client_id: 'A la URL le falta client_id.',
      unknown_client: 'No hay ninguna app registrada con este client_id.',
      no_redirect_uri: 'A la URL le falta redirect_uri.',
      foreign_redirect_uri: 'La app no ha registrado esta redirect_uri.',
    },
  },
  connectors: {
    none: 'Aún no tienes conectores.',
    legend: 'Conectores que pueden usar sus tareas',
    title: (name) => `Conectores para ${name}`,
    connected: (app) => html`${app} está conectada a tu cuenta.`,
    save: 'Guardar',
    noQuestion: 'Esta app no usa conectores.',
    noQuestionOf: (name) => `${name} no usa conectores.`,
    saved: (name) => `${name} ya puede usar los conectores que elegiste.`,
    notConnected: 'Ninguna app con este client_id está conectada a tu cuenta.',
    notSignedIn: 'El inicio de sesión se canceló o falló. No ha cambiado nada.',
    noAnswer: 'No es una respuesta válida del servidor.',
  },
  device: {
    title: 'Conectar un dispositivo',
    code: 'Código',
    codeHint: 'el que muestra el dispositivo',
    continue: 'Continuar',
    asks: (app, code) => html`${app}, en el dispositivo que muestra ${code}, quiere:`,
    beware: 'Continúa solo si lo iniciaste tú en un dispositivo que tienes delante.',
    unknown: 'Ningún dispositivo espera este código. Quizá haya caducado; vuelve a empezar en el dispositivo.',
    connected: (name) => `${name}: conexión hecha. Vuelve a tu dispositivo.`,
    refused: (name) => `Denegaste el acceso a ${name}.`,
  },
  sso: {
    tooMany,
    noSecret: 'Este inicio de sesión no está disponible hasta que ERRAND_SECRET sea igual en todos los procesos del servicio.',
    foreign: 'Este inicio de sesión empezó en otro sitio, tardó más de 10 minutos o ya se usó. Vuelve a empezar.',
    unreachable: (name) => `${name} no responde. Inténtalo de nuevo en un minuto.`,
    broken: (name) =>
      `No funciona el inicio de sesión con ${name}. La administración del servidor puede mirar el registro y ejecutar errand doctor.`,
    clock: (name) => `Los relojes de este servicio y de ${name} no coinciden. La administración del servidor debe corregirlos.`,
    denied: (name) => `${name} no completó el inicio de sesión. No ha cambiado nada.`,
    refuse,
    notLinked: () => 'Esta cuenta ya está vinculada a otra identidad, o esta identidad a otra cuenta. Desvincúlala allí primero.',
    on: (name) => `Continuar a ${name}`,
    title: (name) => `Iniciar sesión con ${name}`,
    linked: (name, email) => html`Ya puedes iniciar sesión en esta cuenta con ${name}${email && html` como ${email}`}.`,
    toSettings: 'Volver a los ajustes',
    linkLead: (name, email) => html`Iniciarás sesión en la cuenta de ${email} con ${name}, aunque allí tu correo sea otro.`,
    link: (name) => `Vincular ${name}`,
  },
};
