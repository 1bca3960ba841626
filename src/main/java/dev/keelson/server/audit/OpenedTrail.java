package dev.keelson.server.audit;

import dev.keelson.audit.AuditMetrics;
import dev.keelson.audit.AuditMode;
import dev.keelson.audit.EventSink;
import dev.keelson.audit.EventWriter;
import dev.keelson.audit.delivery.GroupCommitSink;
import dev.keelson.audit.trail.Spool;
import dev.keelson.audit.trail.TrailException;
import dev.keelson.audit.trail.TrailRetention;
import dev.keelson.audit.trail.TrailSink;
import dev.keelson.audit.trail.TrailStore;
import dev.keelson.audit.trail.TrailWriter;
import dev.keelson.audit.trail.postgresql.PostgresTrail;
import dev.keelson.audit.trail.sqlite.SqliteTrail;
import dev.keelson.config.option.AuditOptions.Trail;
import dev.keelson.config.option.AuditOptions.TrailUrl;
import dev.keelson.server.lifecycle.StartupException;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The searchable trail as the flags say. Apart from {@link BackEnds}, so that a server without a
 * trail loads no class of it.
 *
 * @param sink takes the events; not started
 * @param store is searched
 */
record OpenedTrail(EventSink sink, TrailStore store) {

  /** How long a call of the database may take. */
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private static final String SPOOL = "audit-spool";

  /**
   * Opens the database and the spool.
   *
   * @param dataDirectory holds the spool
   * @param vertx connects to a database
   * @param batched makes a sink of mode batch
   * @throws StartupException if a file cannot be used
   */
  static OpenedTrail open(
      TrailUrl url,
      Trail trail,
      Path dataDirectory,
      Vertx vertx,
      Function<EventWriter, EventSink> batched,
      AuditMetrics metrics,
      InstantSource clock) {
    TrailStore store = store(url, vertx);
    AuditMode mode = trail.delivery().mode();
    @Nullable Spool spool =
        mode == AuditMode.BLOCKING_STRICT ? null : spool(trail, dataDirectory, store);
    EventWriter writer = new TrailWriter(spool == null ? store::append : spool::append);
    EventSink front =
        mode == AuditMode.BATCH
            ? batched.apply(writer)
            : new GroupCommitSink(writer, mode, metrics);
    return new OpenedTrail(
        new TrailSink(
            front, store, spool, new TrailRetention(store, trail.retention(), clock), metrics),
        store);
  }

  private static TrailStore store(TrailUrl url, Vertx vertx) {
    return switch (url) {
      case TrailUrl.Postgresql postgresql ->
          new PostgresTrail(vertx, PostgresConnection.options(postgresql.url()), TIMEOUT);
      case TrailUrl.Sqlite sqlite -> {
        try {
          yield SqliteTrail.open(sqlite.file(), TIMEOUT);
        } catch (TrailException e) {
          throw new StartupException("--audit-trail: " + e.getMessage(), e);
        }
      }
    };
  }

  private static Spool spool(Trail trail, Path dataDirectory, TrailStore store) {
    Path directory = dataDirectory.resolve(SPOOL);
    try {
      return Spool.open(directory, trail.spoolBytes());
    } catch (IOException e) {
      store.close();
      throw new StartupException("--audit-trail: cannot use the spool " + directory + ": " + e, e);
    }
  }
}
