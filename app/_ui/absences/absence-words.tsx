import { At } from "@/app/_ui/clock";
import { SafeText } from "@/app/_ui/safe-text";

type Props = {
  absence: {
    delegate: { name: string };
    isStandingIn: boolean;
    isOut: boolean;
    from: Date;
    until: Date;
  };
};

/** Until when somebody is out, and who stands in. */
export function AbsenceWords({ absence: { delegate, isStandingIn, isOut, from, until } }: Props) {
  return (
    <span>
      {isOut ? "out until " : "out from "}
      {isOut ? null : (
        <>
          <At time={from} /> until{" "}
        </>
      )}
      <At time={until} />;{" "}
      {isStandingIn ? (
        <>
          <SafeText text={delegate.name} oneLine /> stands in
        </>
      ) : (
        <>
          nobody stands in: <SafeText text={delegate.name} oneLine /> may no longer decide as much
        </>
      )}
    </span>
  );
}
