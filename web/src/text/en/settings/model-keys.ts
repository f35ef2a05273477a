export const modelKeys = {
  title: 'Models',
  lead: 'Let your tasks use language models with your own key. These calls cost no credits; your provider bills you, and the service’s models never step in for yours.',
  off: 'This service doesn’t accept keys of your own. Your tasks use its models.',
  ofService: 'Uses the service’s model',
  own: 'Your key',
  keyEnd: (tail: string) => `Key that ends with ${tail}`,
  use: 'Use your own key',
  setOne: (profile: string) => `Use your own key for ${profile}`,
  remove: 'Remove',
  removeOne: (profile: string) => `Remove your key for ${profile}`,
  removeBody: 'Your tasks use the service’s models from their next step on, which can cost credits.',
  removed: 'Key removed.',
};
