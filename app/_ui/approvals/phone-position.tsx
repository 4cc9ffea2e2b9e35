import { ChevronLeft, ChevronRight } from "lucide-react";
import Link from "next/link";
import { ApprovalLink } from "./moving";

type Props = { position: number; total: number; previous?: string; next?: string };

/** Where one is in the list, on a screen that shows only one of them. It lies over the product's name in the header. */
export function PhonePosition({ position, total, previous, next }: Props) {
  return (
    <nav
      aria-label="Approvals"
      className="fixed inset-x-0 top-0 z-30 mr-20 flex h-14 items-center justify-between border-b border-line bg-canvas px-2 short:absolute lg:hidden"
    >
      <Link href={"/approvals"} className="btn btn-quiet px-2" prefetch={false}>
        <ChevronLeft size={18} strokeWidth={1.75} aria-hidden />
        All
      </Link>
      {position > 0 ? (
        <span className="text-sm text-text2">
          {position} of {total}
        </span>
      ) : null}
      <span className="flex">
        <Step id={previous} label="Previous approval" icon={ChevronLeft} />
        <Step id={next} label="Next approval" icon={ChevronRight} />
      </span>
    </nav>
  );
}

function Step({ id, label, icon: Icon }: { id: string | undefined; label: string; icon: typeof ChevronLeft }) {
  if (id === undefined) return <span className="inline-block w-11" />;
  return (
    <ApprovalLink id={id} className="btn btn-quiet px-2.5" aria-label={label}>
      <Icon size={18} strokeWidth={1.75} aria-hidden />
    </ApprovalLink>
  );
}
