package dev.keelson.cel.plan;

/** The evaluation exceeded its cost limit. No operator absorbs it. */
public final class CostExceededException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  CostExceededException() {
    super("operation cancelled: actual cost limit exceeded", null, false, false);
  }
}
