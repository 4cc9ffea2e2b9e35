import { hash, verify } from "@node-rs/argon2";
import { AppError } from "@/server/domain/errors";

// 2 is Argon2id: the package's enum exists in its types alone.
const OPTIONS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const MAX_RUNNING = 8;
const MAX_WAITING = 100;

let running = 0;
const waiting: (() => void)[] = [];

/** Hashing is slow and hungry by design: only so many at once, and a queue that ends. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= MAX_RUNNING) {
    if (waiting.length >= MAX_WAITING) {
      throw new AppError("unavailable", "Too many people are signing in. Try again.", { retryAfterS: 5 });
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    running += 1;
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** Argon2id, with its parameters in the text. */
export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password, OPTIONS));

// Of random bytes that nobody kept, with the parameters above.
const NOBODY = "$argon2id$v=19$m=19456,t=2,p=1$BC9aV/w3QKYgwMInjehCKQ$3slyKZq/nLVSEdAVH3W9YR82gqm859vC5n3htOZRSBE";

/**
 * Whether `password` is the one behind `stored`. Without a stored hash it takes as long as with one and answers
 * false, so that time does not tell whether somebody exists.
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const isRight = await inTurn(() => verify(stored ?? NOBODY, password));
  return isRight && stored !== null;
}
