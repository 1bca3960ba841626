package dev.keelson.config.option;

import dev.keelson.audit.AuditMode;
import dev.keelson.audit.delivery.BatchOptions;
import dev.keelson.audit.delivery.TruncateOptions;
import dev.keelson.audit.log.LogFormat;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Which events are recorded, and where.
 *
 * @param policyFile the policy; null records every request at level Metadata
 * @param log the log back end
 * @param webhook the webhook back end
 * @param trail the searchable trail
 * @param dynamic whether AuditSink objects are back ends
 */
public record AuditOptions(
    @Nullable Path policyFile, Log log, Webhook webhook, Trail trail, boolean dynamic) {

  /** Whether there is a back end, or may be one. */
  public boolean isOn() {
    return dynamic || log.path() != null || webhook.configFile() != null || trail.url() != null;
  }

  /**
   * How a back end is served.
   *
   * @param mode how sure the back end is before a request goes on
   * @param batch how events are batched in mode batch
   * @param truncate limits on the size of events and batches
   */
  public record Delivery(AuditMode mode, BatchOptions batch, TruncateOptions truncate) {}

  /**
   * The log back end.
   *
   * @param path the file, {@code -} for standard out, or null for no log
   * @param format how an event becomes a line
   * @param version the group and version of the events
   * @param maxAge days after which rotated files are deleted; 0 keeps them
   * @param maxBackup how many rotated files are kept; 0 keeps all
   * @param maxSize megabytes at which the file is rotated; 0 is 100
   * @param compress whether rotated files are compressed
   */
  public record Log(
      @Nullable String path,
      LogFormat format,
      String version,
      int maxAge,
      int maxBackup,
      int maxSize,
      boolean compress,
      Delivery delivery) {}

  /**
   * The webhook back end.
   *
   * @param configFile a kubeconfig that says where it is, or null for no webhook
   * @param version the group and version of the events
   * @param initialBackoff how long to wait before the first repetition of a failed request
   */
  public record Webhook(
      @Nullable Path configFile, String version, Duration initialBackoff, Delivery delivery) {}

  /**
   * The searchable trail.
   *
   * @param url where the database is, or null for no trail
   * @param retention how long events are kept; zero keeps them for ever
   * @param spoolBytes the most that waits on disk for the database
   */
  public record Trail(
      @Nullable TrailUrl url, Duration retention, long spoolBytes, Delivery delivery) {}

  /** Where the trail's database is. */
  public sealed interface TrailUrl {

    /** An SQLite file, for the servers of one machine. */
    record Sqlite(Path file) implements TrailUrl {}

    /**
     * A PostgreSQL database, for any number of servers.
     *
     * @param url a connection URI; it may have a password
     */
    record Postgresql(String url) implements TrailUrl {

      /** Without the URI, which may have a password. */
      @Override
      public String toString() {
        return "Postgresql";
      }
    }
  }
}
