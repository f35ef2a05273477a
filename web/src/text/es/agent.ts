import type { agent as source } from '../en/agent.ts';

export const agent: typeof source = {
  title: 'Agente',
  edit: 'Editar perfil',
  clear: 'Vaciar conversación',
  clearTitle: '¿Vaciar esta conversación?',
  clearBody:
    'Se eliminan para siempre sus mensajes, archivos, espacio de trabajo y subtareas. El agente conserva su perfil y sus ajustes.',
  clearConfirm: 'Vaciar',
  cleared: 'Conversación vaciada.',
  nickname: 'Apodo',
  about: 'Descripción',
  aboutHint: 'Para qué sirve este agente, en una o dos frases.',
  noAbout: 'Tu asistente siempre disponible',
  views: 'Vistas del agente',
  conversation: 'Conversación',
  subtasks: 'Subtareas',
  nothingSaid: 'Empieza la conversación',
  nothingSaidBody: 'Dile al agente qué necesitas. Recuerda esta conversación y abre subtareas para los trabajos más grandes.',
  noSubtasks: 'Aún no hay subtareas',
  noSubtasksBody: 'Aquí aparece lo que el agente empieza fuera de esta conversación.',
  ratings: 'Valoraciones',
  ratingFilter: 'Filtrar valoraciones',
  allRatings: 'Todas las valoraciones',
  noRatings: 'Aún no hay valoraciones',
  noRatingsBody: 'Aquí aparecen las valoraciones de las respuestas en tus tareas.',
  ratedFiles: 'Una respuesta con archivos',
};
