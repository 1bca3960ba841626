package dev.keelson.server.audit;

import dev.keelson.http.audit.AuditParts;
import org.jspecify.annotations.Nullable;

/**
 * The audit as the flags say. Starts before the server listens and stops after the last request.
 * Without a back end it is {@link #off} and costs nothing.
 */
public final class Auditing implements AutoCloseable {

  /** Null if the audit is off. */
  private final @Nullable AuditParts parts;

  private final Runnable stop;

  /**
   * @param stop writes what is left and releases the back ends; may run twice
   */
  Auditing(@Nullable AuditParts parts, Runnable stop) {
    this.parts = parts;
    this.stop = stop;
  }

  /** No audit; loads no class of package audit. */
  public static Auditing off() {
    return new Auditing(null, () -> {});
  }

  /** What the filter chain needs; null if the audit is off. */
  public @Nullable AuditParts parts() {
    return parts;
  }

  /** Writes what is left, for ten seconds at most; after the last request. May be called twice. */
  @Override
  public void close() {
    stop.run();
  }
}
