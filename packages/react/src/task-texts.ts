/** Everything that the view says itself. */
export interface TaskTexts {
  conversation: string;
  status: Record<'loading' | 'running' | 'waiting' | 'stopped' | 'error', string>;
  reconnecting: string;
  unavailable: string;
  answer: string;
  send: string;
  notSent: string;
}

/** The texts of the view in the languages of the service. */
export const taskTexts = {
  en: {
    conversation: 'Conversation',
    status: { loading: 'Loading…', running: 'Working…', waiting: 'Waiting for you', stopped: 'Done', error: 'Failed' },
    reconnecting: 'Connection lost. Reconnecting…',
    unavailable: 'This task can’t be shown.',
    answer: 'Your answer',
    send: 'Send',
    notSent: 'Your answer wasn’t sent. Try again.',
  },
  de: {
    conversation: 'Unterhaltung',
    status: {
      loading: 'Wird geladen …',
      running: 'In Arbeit …',
      waiting: 'Wartet auf Sie',
      stopped: 'Fertig',
      error: 'Fehlgeschlagen',
    },
    reconnecting: 'Verbindung verloren. Wird neu verbunden …',
    unavailable: 'Diese Aufgabe kann nicht angezeigt werden.',
    answer: 'Ihre Antwort',
    send: 'Senden',
    notSent: 'Ihre Antwort wurde nicht gesendet. Bitte noch einmal versuchen.',
  },
  es: {
    conversation: 'Conversación',
    status: { loading: 'Cargando…', running: 'Trabajando…', waiting: 'Te espera', stopped: 'Terminada', error: 'Fallida' },
    reconnecting: 'Se perdió la conexión. Reconectando…',
    unavailable: 'No se puede mostrar esta tarea.',
    answer: 'Tu respuesta',
    send: 'Enviar',
    notSent: 'Tu respuesta no se envió. Inténtalo de nuevo.',
  },
  zh: {
    conversation: '对话',
    status: { loading: '加载中…', running: '处理中…', waiting: '等待你的回复', stopped: '已完成', error: '失败' },
    reconnecting: '连接已断开，正在重新连接…',
    unavailable: '无法显示此任务。',
    answer: '你的回复',
    send: '发送',
    notSent: '回复未发送，请重试。',
  },
} satisfies Record<string, TaskTexts>;
