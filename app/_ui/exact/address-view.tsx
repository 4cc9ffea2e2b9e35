import { domainToUnicode } from "node:url";
import type { ReactNode } from "react";
import { SafeText } from "@/app/_ui/safe-text";

/** An e-mail address as text; a host in Punycode also as it would display. */
export function AddressView({ address, children }: { address: string; children?: ReactNode }) {
  const host = address.slice(address.lastIndexOf("@") + 1).replace(/>$/, "");
  const display = /xn--/i.test(host) ? domainToUnicode(host) : "";
  return (
    <>
      <SafeText text={address} oneLine mono /> {children}
      {display === "" ? null : (
        <span className="block text-sm text-stop">
          The host is written in Punycode. It displays as <SafeText text={display} oneLine mono />
        </span>
      )}
    </>
  );
}
