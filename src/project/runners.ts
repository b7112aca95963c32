export const readProject = (_: unknown) => ({})
