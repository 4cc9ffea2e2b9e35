import { Skeleton } from "@/app/_ui/bits";

export default function Loading() {
  return (
    <div className="grid content-start gap-4 px-4 py-6 lg:px-8" aria-busy="true">
      <Skeleton className="h-7 w-48" />
      <Skeleton className="h-16 max-w-3xl" />
      <Skeleton className="h-16 max-w-3xl" />
      <Skeleton className="h-16 max-w-3xl" />
    </div>
  );
}
