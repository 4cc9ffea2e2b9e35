/** How this process's socket to Slack stands. Each process has its own, and Slack calls over any of them. */
export type SocketState = {
  readonly isConnected: boolean;
  /** Since when it is as it is. */
  readonly since: Date;
  /** Why it is not connected, in words without secrets. */
  readonly fault: string | null;
};

// Pages have a copy of every module of their own.
const shared = globalThis as { countersignSlackSocket?: SocketState };

/** Notes how it stands. The time stays while nothing changes. */
export function noteSocket(isConnected: boolean, fault: string | null = null): void {
  const { countersignSlackSocket: before } = shared;
  const since = before?.isConnected === isConnected ? before.since : new Date();
  shared.countersignSlackSocket = { isConnected, since, fault };
}

/** Null where this process opens none: on a platform without a server of ours, and before the start. */
export const socketState = (): SocketState | null => shared.countersignSlackSocket ?? null;
