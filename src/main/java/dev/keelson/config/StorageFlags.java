package dev.keelson.config;

import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import dev.keelson.config.option.StorageOptions;
import dev.keelson.config.option.StorageOptions.MediaType;
import dev.keelson.config.option.StorageOptions.Monitoring;
import dev.keelson.config.option.StorageOptions.Synchronous;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Flags of the store: an etcd cluster or a SQLite file. */
final class StorageFlags {

  private final EtcdFlags etcd;
  private final Flag<MediaType> mediaType;

  /** The most intervals of compaction in a history, each of which is a revision in memory. */
  private static final int MOST_INTERVALS = 100_000;

  private final Flag<Duration> compactionInterval;
  private final Flag<Duration> historyRetention;
  private final Flag<Synchronous> synchronous;
  private final Flag<Duration> healthTimeout;
  private final Flag<Duration> readyTimeout;
  private final Flag<Duration> sizeInterval;
  private final Flag<Duration> countPeriod;

  StorageFlags(FlagGroup group) {
    etcd = new EtcdFlags(group);
    mediaType =
        group.single(
            "storage-media-type",
            "TYPE",
            "application/json",
            "Media type of built-in objects in the store: application/json, or"
                + " application/vnd.kubernetes.protobuf as kube-apiserver uses. Both are always"
                + " readable; custom resources are always stored as JSON.",
            StorageFlags::mediaType);
    compactionInterval =
        group.single(
            "etcd-compaction-interval",
            "DURATION",
            "5m",
            "Interval between compactions of the store (etcd or SQLite), each to the revision"
                + " of one interval before; 0 disables compaction.",
            Values::duration);
    historyRetention =
        group.single(
            "history-retention",
            "DURATION",
            "0s",
            "Time within which every change of an object can be read and brought back. Rounded up"
                + " to whole intervals of --etcd-compaction-interval; 0 keeps one interval.",
            Values::duration);
    synchronous =
        group.single(
            "sqlite-synchronous",
            "MODE",
            "FULL",
            "SQLite's synchronous pragma: OFF, NORMAL or FULL. Below FULL, acknowledged writes"
                + " can be lost in a power failure.",
            Values.oneOf(List.of(Synchronous.values())));
    healthTimeout =
        group.single(
            "etcd-healthcheck-timeout",
            "DURATION",
            "2s",
            "Time within which the store must answer for the health check etcd to pass.",
            Values::duration);
    readyTimeout =
        group.single(
            "etcd-readycheck-timeout",
            "DURATION",
            "2s",
            "Time within which the store must answer for the check etcd-readiness to pass.",
            Values::duration);
    sizeInterval =
        group.single(
            "etcd-db-metric-poll-interval",
            "DURATION",
            "30s",
            "Least interval between two reads of the size of the store, for the metric"
                + " apiserver_storage_size_bytes; 0 disables the metric.",
            Values::duration);
    countPeriod =
        group.single(
            "etcd-count-metric-poll-period",
            "DURATION",
            "1m",
            "Least interval between two counts of the objects that are not in memory, for the"
                + " metrics of stored objects; 0 disables these metrics.",
            Values::duration);
  }

  private Monitoring monitoring(Settings settings) {
    return new Monitoring(
        settings.value(healthTimeout),
        settings.value(readyTimeout),
        settings.value(sizeInterval),
        settings.value(countPeriod));
  }

  StorageOptions options(Settings settings, Path dataDir) {
    List<URI> given = settings.value(etcd.servers());
    Duration interval = settings.value(compactionInterval);
    Duration history = settings.value(historyRetention);
    if (!interval.isZero() && history.toNanos() / interval.toNanos() > MOST_INTERVALS) {
      throw new FlagException(
          historyRetention.dashed()
              + " is more than %d times ".formatted(MOST_INTERVALS)
              + compactionInterval.dashed());
    }
    return given.isEmpty() ? sqlite(settings, dataDir, interval) : etcd(settings, interval);
  }

  private StorageOptions sqlite(Settings settings, Path dataDir, Duration interval) {
    for (Flag<?> flag : etcd.ofEtcdOnly()) {
      if (settings.has(flag)) {
        throw new FlagException(flag.dashed() + " needs " + etcd.servers().dashed());
      }
    }
    return new StorageOptions.Sqlite(
        dataDir.resolve("keelson.db"),
        settings.value(synchronous),
        etcd.prefix(settings),
        interval,
        settings.value(historyRetention),
        settings.value(mediaType),
        monitoring(settings));
  }

  private StorageOptions etcd(Settings settings, Duration interval) {
    if (settings.has(synchronous)) {
      throw new FlagException(
          synchronous.dashed() + " is for SQLite and cannot go with " + etcd.servers().dashed());
    }
    return new StorageOptions.Etcd(
        etcd.cluster(settings),
        etcd.overrides(settings),
        etcd.prefix(settings),
        interval,
        settings.value(historyRetention),
        settings.value(mediaType),
        monitoring(settings));
  }

  private static MediaType mediaType(String text) {
    return switch (text.strip().toLowerCase(Locale.ROOT)) {
      case "application/json" -> MediaType.JSON;
      case "application/vnd.kubernetes.protobuf" -> MediaType.PROTOBUF;
      default ->
          throw Values.expected("application/json or application/vnd.kubernetes.protobuf", text);
    };
  }
}
