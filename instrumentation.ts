/** Next calls this before it serves: where our own server does not stand in front, the logins are verified here. */
export async function register(): Promise<void> {
  // biome-ignore lint/style/noProcessEnv: the bundler replaces it; it says which runtime this copy is built for.
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { verifyServing } = await import("@/server/boot/verify-serving");
  await verifyServing();
}
