package dev.keelson.server.audit;

import dev.keelson.audit.trail.TrailStore;
import dev.keelson.http.audit.AuditParts;
import dev.keelson.server.lifecycle.HangUp;
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

  /** Null without a log file. */
  private final @Nullable Runnable reopen;

  private final Runnable stop;

  /**
   * @param trail null without a trail
   * @param reopen opens the log files again; null if there are none
   * @param stop writes what is left and releases the back ends; may run twice
   */
  Auditing(
      @Nullable AuditParts parts,
      @Nullable TrailStore trail,
      @Nullable Runnable reopen,
      Runnable stop) {
    this.parts = parts;
    this.trail = trail;
    this.reopen = reopen;
    this.stop = stop;
  }

  /** No audit; loads no class of package audit. */
  public static Auditing off() {
    return new Auditing(null, null, null, () -> {});
  }

  /** What the filter chain needs; null if the audit is off. */
  public @Nullable AuditParts parts() {
    return parts;
  }

  /** The trail that can be searched; null if there is none. */
  public @Nullable TrailStore trail() {
    return trail;
  }

  /** From here on SIGHUP makes the log files be opened again; for a process of its own. */
  public void reopenOnHangUp() {
    if (reopen != null) {
      HangUp.handle(reopen);
    }
  }

  /** Writes what is left, for ten seconds at most; after the last request. May be called twice. */
  @Override
  public void close() {
    stop.run();
  }
}
