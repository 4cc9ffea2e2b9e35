/** Missing and forbidden read alike, so that an address tells nothing about what exists. */
export function NothingHere() {
  return (
    <div className="grid max-w-md content-start gap-3 px-4 py-12 lg:px-8">
      <h1 className="text-lg font-semibold">Nothing here that you may see</h1>
      <p className="text-text2">
        It does not exist, or your role does not include it. An owner can change your role under Members.
      </p>
    </div>
  );
}
