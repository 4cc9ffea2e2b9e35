"use client";

import { LogOut } from "lucide-react";
import { signOut } from "./sign-in/session";

export function SignOut() {
  return (
    <button type="button" className="btn btn-quiet justify-start px-0" onClick={() => void signOut()}>
      <LogOut size={16} strokeWidth={1.75} aria-hidden />
      Sign out
    </button>
  );
}
