package dev.keelson.audit.trail.postgresql;

import io.vertx.core.net.PemTrustOptions;
import io.vertx.pgclient.PgConnectOptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.logging.LogFactory;
import org.flywaydb.core.internal.jdbc.DriverDataSource;

/**
 * Brings the tables of the trail up to date by Flyway, with the migrations in {@code db/migration}.
 * Several servers may do so at the same time: they take turns. Flyway's own lock is in its table,
 * and does not cover how that is made.
 */
final class TrailMigration {

  /** Not Flyway's default, so that other programs may keep theirs in the same database. */
  private static final String HISTORY = "audit_trail_history";

  /** The state of a database that has tables of others, and none of the trail. */
  private static final String NOTHING = "0";

  /** By its name: Flyway makes it, since the registry of drivers looks for classes. */
  private static final String DRIVER = "org.postgresql.Driver";

  /** Held by the session of a server while it migrates; PostgreSQL releases it with the session. */
  static final String LOCK = "SELECT pg_advisory_lock(1262572869)";

  private TrailMigration() {}

  /**
   * Applies what is missing; blocks.
   *
   * @param timeout how long connecting and each statement may take; rounded up to seconds
   * @throws FlywayException if the database cannot be reached, or its tables are of a newer program
   */
  static void run(PgConnectOptions options, Duration timeout) {
    LogFactory.setLogCreator(type -> new MigrationLog());
    DriverDataSource source = connections(options, timeout);
    try (Connection turn = source.getConnection();
        Statement lock = turn.createStatement()) {
      boolean unused = lock.execute(LOCK);
      migrate(source);
    } catch (SQLException e) {
      throw new FlywayException("the trail's tables were not brought up to date", e);
    }
  }

  private static void migrate(DriverDataSource source) {
    Flyway.configure(TrailMigration.class.getClassLoader())
        .dataSource(source)
        .table(HISTORY)
        .baselineOnMigrate(true)
        .baselineVersion(NOTHING)
        // a version that this program does not have is an error
        .ignoreMigrationPatterns(new String[0])
        .resourceProvider(new MigrationFiles())
        .javaMigrationClassProvider(List::of)
        .load()
        .migrate();
  }

  /** Connections of the JDBC driver, which Flyway needs, with the options of the Vert.x client. */
  private static DriverDataSource connections(PgConnectOptions options, Duration timeout) {
    String seconds = Long.toString(timeout.plusMillis(999).toSeconds());
    Map<String, String> properties = new HashMap<>();
    // a property, so that it needs no escapes
    properties.put("PGDBNAME", options.getDatabase());
    properties.put("sslmode", options.getSslMode().value);
    properties.put("connectTimeout", seconds);
    properties.put("socketTimeout", seconds);
    properties.put("ApplicationName", "keelson");
    if (options.getTrustOptions() instanceof PemTrustOptions trusted
        && !trusted.getCertPaths().isEmpty()) {
      properties.put("sslrootcert", trusted.getCertPaths().getFirst());
    }
    String host = options.getHost();
    return new DriverDataSource(
        TrailMigration.class.getClassLoader(),
        DRIVER,
        "jdbc:postgresql://%s:%d/"
            .formatted(host.contains(":") ? "[" + host + "]" : host, options.getPort()),
        options.getUser(),
        options.getPassword(),
        properties);
  }
}
