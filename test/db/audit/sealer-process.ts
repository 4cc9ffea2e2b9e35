import { closePools } from "@/server/db/pools";
import { startSealer } from "@/server/services/audit/chain/sealer";

// A replica of its own: seals until its input ends.
const sealer = startSealer();
process.stdin.resume();
process.stdin.on("end", () => void sealer.stop().then(closePools));
process.stdout.write("sealing\n");
