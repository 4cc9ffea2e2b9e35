import { describe, expect, it } from "vitest";
import { sharedFlush } from "@/server/db/shared-flush";

/** A flush that ends when told, and how many began. */
function manualFlush() {
  const ends: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const flush = () => new Promise<void>((resolve, reject) => ends.push({ resolve, reject }));
  return { ends, flush };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("a shared flush", () => {
  it("serves all who come while one is under way with a single further one, begun after they came", async () => {
    const { ends, flush } = manualFlush();
    const shared = sharedFlush(flush);
    const first = shared();
    const done: number[] = [];
    const others = [1, 2, 3].map((index) => shared().then(() => done.push(index)));
    expect(ends).toHaveLength(1);
    ends[0]?.resolve();
    await first;
    await turn();
    expect(ends).toHaveLength(2);
    expect(done).toEqual([]);
    ends[1]?.resolve();
    await Promise.all(others);
    expect(done).toEqual([1, 2, 3]);
    const next = shared();
    expect(ends).toHaveLength(3);
    ends[2]?.resolve();
    await next;
  });

  it("tells those who waited for it when it fails, and begins anew for the next", async () => {
    const { ends, flush } = manualFlush();
    const shared = sharedFlush(flush);
    const first = shared();
    const second = shared();
    ends[0]?.reject(new Error("lost"));
    await expect(first).rejects.toThrow("lost");
    await turn();
    ends[1]?.resolve();
    await expect(second).resolves.toBeUndefined();
    const third = shared();
    ends[2]?.resolve();
    await expect(third).resolves.toBeUndefined();
  });
});
