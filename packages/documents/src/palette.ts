/** Colors of series that are distinguishable in this order, also with most color vision deficiencies, on light and dark backgrounds. */
export const seriesColors = {
  light: ['#2563eb', '#f59e0b', '#0d9488', '#dc2626', '#7c3aed', '#65a30d', '#db2777', '#0891b2', '#92400e', '#64748b'],
  dark: ['#60a5fa', '#fbbf24', '#2dd4bf', '#f87171', '#a78bfa', '#a3e635', '#f472b6', '#22d3ee', '#d6a77a', '#94a3b8'],
} as const;
