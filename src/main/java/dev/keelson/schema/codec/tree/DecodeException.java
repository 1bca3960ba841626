package dev.keelson.schema.codec.tree;

/**
 * Malformed input. The message is for the user who sent it, and that of Kubernetes where known; it
 * is never null.
 */
public final class DecodeException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** The kind of the error. */
  public enum Fault {
    /** No JSON or YAML document at all. */
    SYNTAX,
    /** A document whose values do not have the types that the schema asks for. */
    SHAPE,
    /** A document that goes beyond a bound: depth, length of a number, expansion of aliases. */
    LIMIT,
    /** A document whose tree would take too much memory. */
    SIZE,
    /** A malformed envelope, or one with an unsupported encoding. */
    ENCODING
  }

  private final Fault fault;

  public DecodeException(Fault fault, String message) {
    // no stack trace: clients cause these errors, possibly many, and the place in the reader is of
    // no use to them
    super(message, null, false, false);
    this.fault = fault;
  }

  public Fault fault() {
    return fault;
  }

  /** The message. */
  public String text() {
    return String.valueOf(getMessage());
  }
}
