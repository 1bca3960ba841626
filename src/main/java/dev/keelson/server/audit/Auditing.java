package dev.keelson.server.audit;

import dev.keelson.audit.trail.TrailStore;
import dev.keelson.http.audit.AuditParts;
import org.jspecify.annotations.Nullable;

/**
 * The audit as the flags say. Starts before the server listens and stops after the last request.
 * Without a back end it is {@link #off} and costs nothing.
 */
public final class Auditing implements AutoCloseable {

  /** Null if the audit is off. */
  private final @Nullable AuditParts parts;

  /** Null without a trail. */
  private final @Nullable TrailStore trail;

  private final Runnable stop;

  /**
   * @param trail null without a trail
   * @param stop writes what is left and releases the back ends; may run twice
   */
  Auditing(@Nullable AuditParts parts, @Nullable TrailStore trail, Runnable stop) {
    this.parts = parts;
    this.trail = trail;
    this.stop = stop;
  }

  /** No audit; loads no class of package audit. */
  public static Auditing off() {
    return new Auditing(null, null, () -> {});
  }

  /** What the filter chain needs; null if the audit is off. */
  public @Nullable AuditParts parts() {
    return parts;
  }

  /** The trail that can be searched; null if there is none. */
  public @Nullable TrailStore trail() {
    return trail;
  }

  /** Writes what is left, for ten seconds at most; after the last request. May be called twice. */
  @Override
  public void close() {
    stop.run();
  }
}
