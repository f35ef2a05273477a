interface Said {
  title: string;
  body: string;
}

/** What the offline page says. */
export interface OfflineTexts {
  /** Without a network. */
  offline: Said;
  /** With a network, but without an answer. */
  unreachable: Said;
  retry: string;
}

/** By language. The page is complete in itself, because nothing else can be loaded while it is shown. */
export const offlineTexts: Readonly<Record<'en' | 'de' | 'es' | 'zh', OfflineTexts>> = {
  en: {
    offline: {
      title: 'You’re offline',
      body: 'Tasks keep running on the server. This page opens as soon as you’re back online.',
    },
    unreachable: { title: 'Can’t reach the server', body: 'This page opens as soon as the server responds.' },
    retry: 'Try again',
  },
  de: {
    offline: {
      title: 'Keine Internetverbindung',
      body: 'Aufgaben laufen auf dem Server weiter. Diese Seite öffnet sich, sobald die Verbindung zurück ist.',
    },
    unreachable: { title: 'Server nicht erreichbar', body: 'Diese Seite öffnet sich, sobald der Server antwortet.' },
    retry: 'Erneut versuchen',
  },
  es: {
    offline: {
      title: 'Sin conexión',
      body: 'Las tareas siguen en el servidor. Esta página se abrirá en cuanto vuelva la conexión.',
    },
    unreachable: { title: 'El servidor no responde', body: 'Esta página se abrirá en cuanto el servidor responda.' },
    retry: 'Reintentar',
  },
  zh: {
    offline: { title: '你已离线', body: '任务会在服务器上继续运行。恢复连接后，此页面会自动打开。' },
    unreachable: { title: '无法连接到服务器', body: '服务器恢复响应后，此页面会自动打开。' },
    retry: '重试',
  },
};
