import type { composer as source } from '../en/composer.ts';

export const composer: typeof source = {
  attach: 'Adjuntar archivos',
  send: 'Enviar',
  drop: 'Suelta para adjuntar',
  files: 'Archivos adjuntos',
  uploading: (name) => `Subiendo ${name}`,
  cancelUpload: (name) => `Cancelar la subida de ${name}`,
  removeFile: (name) => `Quitar ${name}`,
};
