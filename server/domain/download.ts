/** An answer too large for one value: sent over HTTP piece by piece, as fast as the caller reads. */
export type Download = {
  readonly contentType: string;
  /** A plain file name; it goes into Content-Disposition. */
  readonly fileName: string;
  /** Begun when the first piece is asked for. A throw breaks the answer off, so that it cannot pass for whole. */
  readonly chunks: AsyncIterable<string | Uint8Array>;
};
