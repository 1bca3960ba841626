package dev.keelson.audit.trail.postgresql;

import dev.keelson.audit.trail.TrailField;
import dev.keelson.audit.trail.TrailId;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;

/**
 * The tables of the trail: their versions and their partitions, one for each day. The identifier
 * begins with the time, so that ranges of identifiers are ranges of time.
 */
final class TrailTables {

  /** Writers of all servers hold it in turn, until their transaction ends; "KAUD". */
  static final String LOCK = "SELECT pg_advisory_xact_lock(1262572868)";

  private static final String PARTITION = "audit_event_";

  /** The statements from each version of the tables to the next; an element is never changed. */
  private static final List<List<String>> VERSIONS = List.of(first());

  private TrailTables() {}

  private static List<String> first() {
    StringBuilder columns = new StringBuilder();
    for (TrailField field : TrailField.values()) {
      columns.append(field.column()).append(" text COLLATE \"C\" NOT NULL, ");
    }
    return List.of(
        "CREATE SEQUENCE audit_event_seq",
        "CREATE TABLE audit_event (seq bigint NOT NULL DEFAULT nextval('audit_event_seq'),"
            + " id text COLLATE \"C\" NOT NULL PRIMARY KEY, "
            + columns
            + "text text COLLATE \"C\" NOT NULL, json text NOT NULL) PARTITION BY RANGE (id)",
        "CREATE INDEX audit_event_position ON audit_event (seq)",
        "CREATE INDEX audit_event_user ON audit_event (username, id)",
        "CREATE INDEX audit_event_namespace ON audit_event (namespace, id)",
        "CREATE INDEX audit_event_object ON audit_event (name, resource, namespace, id)");
  }

  /**
   * Makes the tables or brings them up to date; in a transaction.
   *
   * <p>Fails with an {@link IllegalStateException} if they are newer than this program.
   */
  static Future<Void> migrate(SqlConnection connection) {
    return connection
        .query(LOCK)
        .execute()
        .compose(
            locked ->
                connection
                    .query("CREATE TABLE IF NOT EXISTS audit_trail_version (version int NOT NULL)")
                    .execute())
        .compose(
            made ->
                connection
                    .query("SELECT coalesce(max(version), 0) FROM audit_trail_version")
                    .execute())
        .compose(rows -> upgrade(connection, rows.iterator().next().getInteger(0)));
  }

  private static Future<Void> upgrade(SqlConnection connection, int version) {
    if (version > VERSIONS.size()) {
      return Future.failedFuture(
          new IllegalStateException(
              "the database has the tables of version %d, this program knows %d"
                  .formatted(version, VERSIONS.size())));
    }
    Future<Void> done = Future.succeededFuture();
    for (int next = version; next < VERSIONS.size(); next++) {
      List<String> steps = new ArrayList<>(VERSIONS.get(next));
      steps.add("INSERT INTO audit_trail_version VALUES (" + (next + 1) + ")");
      for (String step : steps) {
        done = done.compose(before -> connection.query(step).execute().mapEmpty());
      }
    }
    return done;
  }

  /** Makes the partition of a day if it is missing; in a transaction that holds the lock. */
  static Future<Void> partition(SqlConnection connection, LocalDate day) {
    return connection
        .query(
            "CREATE TABLE IF NOT EXISTS %s PARTITION OF audit_event FOR VALUES FROM ('%s') TO ('%s')"
                .formatted(name(day), begin(day), begin(day.plusDays(1))))
        .execute()
        .mapEmpty();
  }

  /** The names of the partitions of days before a day. */
  static Future<List<String>> partitionsBefore(SqlConnection connection, LocalDate day) {
    return connection
        .preparedQuery(
            "SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid"
                + " WHERE i.inhparent = 'audit_event'::regclass AND c.relname < $1"
                + " AND c.relname ~ '^audit_event_[0-9]{8}$' ORDER BY c.relname")
        .execute(Tuple.of(name(day)))
        .map(
            rows -> {
              List<String> names = new ArrayList<>();
              rows.forEach(row -> names.add(row.getString(0)));
              return names;
            });
  }

  private static String name(LocalDate day) {
    return PARTITION + DateTimeFormatter.BASIC_ISO_DATE.format(day);
  }

  private static String begin(LocalDate day) {
    return TrailId.from(day.atStartOfDay(ZoneOffset.UTC).toInstant());
  }
}
