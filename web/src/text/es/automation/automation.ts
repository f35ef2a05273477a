import type { automation as source } from '../../en/automation/automation.ts';

export const automation: typeof source = {
  defaultProfile: 'Predeterminado',
  recipe: 'Plantilla',
  noRecipe: 'Ninguna: escribir un mensaje',
  recipeCopied: 'Se copia al guardar. Los cambios posteriores de la plantilla no cambian nada aquí.',
  keptFile: 'Déjalo vacío para conservar el archivo elegido antes.',
  removeFile: 'Quitar archivo',
  uploading: 'El archivo aún se está subiendo.',
  valueHint: 'Texto; {{/issue/title}} inserta una parte de lo que se envía.',
  interactiveHint: 'Las preguntas esperan en tu bandeja. Si no, el agente decide y enumera lo que supuso.',
  budget: 'Presupuesto de cada respuesta',
  budgetHint: 'Lo máximo que puede costar, con sus subtareas.',
  onLimit: 'Al llegar al límite',
  onLimits: { wait: 'Esperar un presupuesto mayor', end: 'Terminar con un error' },
  decideIn: 'Si nadie decide',
  decideInHint: 'La pregunta recibe entonces la respuesta de abajo; una acción se rechaza.',
  noTimeLimit: 'Esperar lo que haga falta',
  times: { 600: '10 minutos', 3600: '1 hora', 14400: '4 horas', 86400: '1 día', 259200: '3 días', 604800: '1 semana' },
  usualAnswer: 'Respuesta a las preguntas',
  usualAnswerHint: 'Si está vacía, el agente sabe que nadie respondió y decide por su cuenta.',
};
