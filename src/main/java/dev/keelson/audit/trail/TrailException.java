package dev.keelson.audit.trail;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A failure of the trail's store. */
public abstract sealed class TrailException extends IOException {

  private static final long serialVersionUID = 1L;

  private TrailException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** The store cannot be reached or does not answer; the same call may succeed later. */
  public static final class Unavailable extends TrailException {
    private static final long serialVersionUID = 1L;

    public Unavailable(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** The store answers, and does not accept what it was given; the same call fails again. */
  public static final class Rejected extends TrailException {
    private static final long serialVersionUID = 1L;

    public Rejected(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }
}
