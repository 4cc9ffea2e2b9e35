type Part = { readonly name: string; stop(): Promise<void> | void; readonly ended?: Promise<void> };

export type Stack = {
  push(part: Part): void;
  /** Resolves to the name of the first part that ends by itself. */
  readonly broken: Promise<string>;
  /** Stops all of it, last started first. */
  stop(): Promise<void>;
};

/** What was started, so that it is stopped in the opposite order however far the start came. */
export function createStack(): Stack {
  const parts: Part[] = [];
  let isStopping = false;
  let tell: (name: string) => void = () => undefined;
  const broken = new Promise<string>((resolve) => {
    tell = resolve;
  });
  return {
    broken,
    push: (part) => {
      parts.push(part);
      void part.ended?.then(() => {
        if (!isStopping) tell(part.name);
      });
    },
    stop: async () => {
      isStopping = true;
      for (const part of parts.splice(0).reverse()) await part.stop();
    },
  };
}
