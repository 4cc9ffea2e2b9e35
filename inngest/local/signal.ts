/** Lets one loop sleep until something happens; what happens while it is awake is not lost. */
export type Signal = { readonly raise: () => void; readonly wait: (ms: number) => Promise<void> };

export function createSignal(): Signal {
  let isRaised = false;
  let wakeUp: (() => void) | undefined;
  return {
    raise: () => {
      isRaised = true;
      wakeUp?.();
    },
    wait: async (ms) => {
      if (!isRaised) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wakeUp = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      wakeUp = undefined;
      isRaised = false;
    },
  };
}
