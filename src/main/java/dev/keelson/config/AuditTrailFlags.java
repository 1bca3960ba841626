package dev.keelson.config;

import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import dev.keelson.config.option.AuditOptions.Trail;
import dev.keelson.config.option.AuditOptions.TrailUrl;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The searchable audit trail. */
final class AuditTrailFlags {

  private static final String SQLITE = "sqlite:";
  private static final String POSTGRESQL = "postgresql://";

  /** Less would not hold one batch of large events. */
  private static final long LEAST_SPOOL = 1 << 20;

  private final Flag<@Nullable String> url;
  private final Flag<Duration> retention;
  private final Flag<Long> spoolSize;
  private final AuditDeliveryFlags delivery;

  AuditTrailFlags(FlagGroup group) {
    url =
        group.optional(
            "audit-trail",
            "URL",
            "Database of audit events that can be searched as auditevents of audit.keelson.dev:"
                + " postgresql://USER:PASSWORD@HOST:PORT/DATABASE, or sqlite:FILE for one machine.",
            Values::text);
    retention =
        group.single(
            "audit-trail-retention",
            "DURATION",
            "2160h",
            "Time that events stay in the audit trail; whole days are removed. 0s keeps them for"
                + " ever.",
            Values::duration);
    spoolSize =
        group.single(
            "audit-trail-spool-size",
            "BYTES",
            "268435456",
            "Maximum size of the events that wait in the data directory while the database of the"
                + " audit trail is away; more are dropped and counted.",
            AuditTrailFlags::bytes);
    delivery = new AuditDeliveryFlags(group, AuditDeliveryFlags.Defaults.TRAIL);
  }

  Trail options(Settings settings) {
    String text = settings.value(url);
    if (settings.value(retention).isNegative()) {
      throw new FlagException("--audit-trail-retention must not be negative");
    }
    return new Trail(
        text == null || text.isEmpty() ? null : database(text),
        settings.value(retention),
        settings.value(spoolSize),
        delivery.options(settings));
  }

  private static TrailUrl database(String text) {
    if (text.startsWith(SQLITE) && text.length() > SQLITE.length()) {
      return new TrailUrl.Sqlite(Path.of(text.substring(SQLITE.length())));
    }
    if (text.startsWith(POSTGRESQL) && text.length() > POSTGRESQL.length()) {
      return new TrailUrl.Postgresql(text);
    }
    // the text may hold a password
    throw new FlagException("--audit-trail: expected postgresql://... or sqlite:FILE");
  }

  private static long bytes(String text) {
    try {
      long bytes = Long.parseLong(text);
      if (bytes >= LEAST_SPOOL) {
        return bytes;
      }
    } catch (NumberFormatException e) {
      throw Values.expected("a whole number", text);
    }
    throw Values.expected("at least " + LEAST_SPOOL, text);
  }
}
