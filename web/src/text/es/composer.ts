import type { composer as source } from '../en/composer.ts';

export const composer: typeof source = {
  attach: 'Adjuntar archivos',
  send: 'Enviar',
  drop: 'Suelta para adjuntar',
  files: 'Archivos adjuntos',
  uploading: (name) => `Subiendo ${name}`,
  cancelUpload: (name) => `Cancelar la subida de ${name}`,
  removeFile: (name) => `Quitar ${name}`,
  dictate: 'Dictar',
  endDictation: 'Terminar el dictado',
  noMicrophone: 'Permite que esta página use el micrófono en los ajustes del navegador.',
  dictationFailed: 'No se reconoció la voz. Revisa el micrófono y la conexión.',
};
