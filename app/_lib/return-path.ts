/** Where to go after signing in: a path of ours, never another site. */
export function returnPath(to: string | undefined): string {
  if (to === undefined || !/^\/(?![/\\])[\w\-./?=&%]*$/.test(to)) return "/";
  return to.startsWith("/sign-in") || to.startsWith("/api") ? "/" : to;
}
