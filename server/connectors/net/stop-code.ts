/** Why a signal stopped a call: time was up, or somebody asked for it. */
export const stopCode = (signal: AbortSignal): "timeout" | "aborted" =>
  signal.reason instanceof DOMException && signal.reason.name === "TimeoutError" ? "timeout" : "aborted";
