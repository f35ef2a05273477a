import type { taskList as source } from '../en/task-list.ts';

export const taskList: typeof source = {
  label: 'Tareas',
  titleLabel: 'Título',
  rename: 'Cambiar nombre',
  share: 'Compartir',
  stop: 'Detener',
  whoMaySee: 'Quién puede ver esta tarea',
  visibility: { private: 'Solo tú', team: 'Tu equipo', public: 'Cualquiera con el enlace' },
  visibilityHint: {
    private: 'Nadie más puede abrirla.',
    team: 'Tu equipo puede abrir el enlace tras iniciar sesión.',
    public: 'Sin iniciar sesión. Se ven mensajes y archivos, no las entradas de herramientas.',
  },
  shareTitle: 'Compartir esta tarea',
  shareLead: 'Se ven mensajes y archivos, pero no las entradas de herramientas ni tu cuenta.',
  shareLink: 'Enlace',
  copyLink: 'Copiar enlace',
  revoke: 'Dejar de compartir',
  revoked: 'Ya no se comparte. El enlace anterior no funciona.',
  shared: 'Se comparte.',
  deleted: 'Tarea eliminada.',
  deleteTitle: '¿Eliminar esta tarea?',
  deleteBody: (title) =>
    `Se elimina para siempre «${title}» con su conversación y sus archivos. Si aún está en marcha, se detiene.`,
  actionsOf: (title) => `Acciones de ${title}`,
  types: { standard: 'Tarea', project: 'Proyecto', agent_subtask: 'Subtarea del agente' },
  byKey: (name) => `por ${name}`,
  dateGroup: { today: 'Hoy', yesterday: 'Ayer', week: 'Últimos 7 días', month: 'Últimos 30 días' },
  foundIn: { message: 'En un mensaje:', reply: 'En una respuesta:', file: 'En un archivo:' },
  noneFound: 'Ninguna tarea coincide',
  older: 'Mostrar tareas anteriores',
};
