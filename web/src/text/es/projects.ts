import { plural } from '../plural.ts';
import type { projects as source } from '../en/projects.ts';

export const projects: typeof source = {
  title: 'Proyectos',
  lead: 'Las tareas de un proyecto comparten instrucciones, conectores y habilidades.',
  new: 'Nuevo proyecto',
  create: 'Crear',
  saved: 'Guardado. Los cambios valen para las tareas nuevas.',
  changesLead: 'Los cambios valen para las tareas nuevas.',
  name: 'Nombre',
  instruction: 'Instrucciones',
  instructionHint: 'Se añaden a cada tarea de este proyecto.',
  noInstruction: 'Sin instrucciones',
  connectors: 'Conectores',
  connectorsHint: 'Conectores predeterminados, salvo que la tarea elija los suyos.',
  skills: 'Habilidades',
  skillsHint: 'Habilidades predeterminadas. Déjalo vacío para permitirlas todas.',
  actionsLabel: 'Si nadie puede aprobar una acción',
  actionsHint: 'Para tareas que no pueden pedir una aprobación a nadie.',
  actions: { allow: 'Permitir', refuse: 'Omitir' },
  memory: 'Usar memoria',
  memoryHint: 'Las tareas leen y escriben notas que otras encuentran después.',
  setup: 'Script de preparación',
  setupExample: 'pip install polars',
  setupHint: 'Bash. Se ejecuta una vez, cuando una tarea lo necesita; lo que instala queda para todas las del proyecto.',
  setupStatus: { none: '', pending: 'Aún sin ejecutar', running: 'En marcha', ready: 'Listo', failed: 'Fallido' },
  setupMeaning: {
    none: '',
    pending: 'Se ejecuta con la próxima tarea que use comandos.',
    running: 'Las tareas esperan a que termine.',
    ready: 'Las tareas encuentran lo que instaló.',
    failed: 'Las tareas siguen sin él. Se reintenta a los 10 minutos o cuando lo cambies.',
  },
  setupOutput: 'Salida del script de preparación',
  tasks: 'Ver tareas',
  recentTasks: 'Tareas recientes',
  noTasks: 'Aún no hay tareas',
  startTask: 'Iniciar tarea',
  settings: 'Ajustes',
  memoryLink: 'Memoria',
  copyId: 'Copiar ID',
  counts: (connectors, skills) =>
    `${plural('es', connectors, { one: '1 conector', other: `${connectors} conectores` })} · ${
      skills === 0 ? 'todas las habilidades' : plural('es', skills, { one: '1 habilidad', other: `${skills} habilidades` })
    }`,
  emptyTitle: 'Aún no hay proyectos',
  emptyBody: 'Crea uno para tareas con el mismo público, tono o herramientas.',
};
