package dev.keelson.audit.trail.postgresql;

import dev.keelson.audit.trail.TrailId;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.hibernate.reactive.stage.Stage;

/** The partitions of the trail, one for each day in UTC. Entities have no words for them. */
final class TrailPartitions {

  /** Writers of all servers hold it in turn, until their transaction ends; "KAUD". */
  private static final String LOCK = "SELECT cast(pg_advisory_xact_lock(1262572868) AS text)";

  private static final String PREFIX = "audit_event_";

  private TrailPartitions() {}

  /** Waits for the turn of the session's transaction. */
  static CompletionStage<?> lock(Stage.StatelessSession session) {
    return session.createNativeQuery(LOCK, String.class).getSingleResult();
  }

  /** Makes the partition of a day if it is missing; in a transaction that holds the lock. */
  static CompletionStage<?> make(Stage.StatelessSession session, LocalDate day) {
    return session
        .createNativeQuery(
            "CREATE TABLE IF NOT EXISTS %s PARTITION OF audit_event FOR VALUES FROM ('%s') TO ('%s')"
                .formatted(name(day), begin(day), begin(day.plusDays(1))))
        .executeUpdate();
  }

  /** The names of the partitions of days before a day. */
  static CompletionStage<List<String>> before(Stage.StatelessSession session, LocalDate day) {
    return session
        .createNativeQuery(
            "SELECT cast(c.relname AS text) FROM pg_inherits i JOIN pg_class c ON c.oid ="
                + " i.inhrelid WHERE i.inhparent = to_regclass('audit_event') AND c.relname < ?1"
                + " AND c.relname ~ '^audit_event_[0-9]{8}$' ORDER BY c.relname",
            String.class)
        .setParameter(1, name(day))
        .getResultList();
  }

  /** Removes a partition; in a transaction that holds the lock. */
  static CompletionStage<?> drop(Stage.StatelessSession session, String partition) {
    return session.createNativeQuery("DROP TABLE IF EXISTS " + partition).executeUpdate();
  }

  private static String name(LocalDate day) {
    return PREFIX + DateTimeFormatter.BASIC_ISO_DATE.format(day);
  }

  private static String begin(LocalDate day) {
    return TrailId.from(day.atStartOfDay(ZoneOffset.UTC).toInstant());
  }
}
