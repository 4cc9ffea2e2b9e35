/** The launcher cannot go on. The message is one line for the operator: what is wrong and what to do. */
export class LaunchError extends Error {
  override readonly name = "LaunchError";
}
