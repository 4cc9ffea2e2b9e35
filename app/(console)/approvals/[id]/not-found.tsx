import { NothingHere } from "@/app/_ui/nothing-here";

export default function NotFound() {
  return <NothingHere />;
}
