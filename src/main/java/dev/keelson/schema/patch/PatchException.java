package dev.keelson.schema.patch;

/**
 * A malformed patch, or one that cannot be applied. The message is for the user who sent it, and
 * that of the Go libraries that kube-apiserver uses; it is never null.
 */
public final class PatchException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** The kind of the error. */
  public enum Fault {
    /** The document is no patch of its kind, whatever it is applied to. */
    MALFORMED,
    /** The patch cannot be applied to this object. */
    UNFIT,
    /** The patch asks for more work than one request may cause. */
    TOO_LARGE
  }

  private final Fault fault;

  private PatchException(Fault fault, String message) {
    super(message);
    this.fault = fault;
  }

  static PatchException malformed(String message) {
    return new PatchException(Fault.MALFORMED, message);
  }

  static PatchException unfit(String message) {
    return new PatchException(Fault.UNFIT, message);
  }

  static PatchException tooLarge(String message) {
    return new PatchException(Fault.TOO_LARGE, message);
  }

  public Fault fault() {
    return fault;
  }

  /** The message. */
  public String text() {
    return String.valueOf(getMessage());
  }
}
