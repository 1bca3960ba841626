package dev.keelson.config.option;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The options of the store. */
public sealed interface StorageOptions {

  /** The prefix of every key, without a trailing slash. */
  String prefix();

  /** Interval between compactions; zero disables them. */
  Duration compactionInterval();

  /** The time within which every change is kept; zero for one interval of compaction. */
  Duration historyRetention();

  /** The encoding of objects that are written. */
  MediaType mediaType();

  /** How the store is watched over. */
  Monitoring monitoring();

  /**
   * How the store is watched over.
   *
   * @param healthTimeout how long the check {@code etcd} waits for an answer
   * @param readyTimeout how long the check {@code etcd-readiness} waits
   * @param sizeInterval how often the size of the store is read; zero for never
   * @param countPeriod how often objects are counted that are not in memory; zero for never
   */
  record Monitoring(
      Duration healthTimeout, Duration readyTimeout, Duration sizeInterval, Duration countPeriod) {

    /** The values of kube-apiserver. */
    public static final Monitoring DEFAULTS =
        new Monitoring(
            Duration.ofSeconds(2),
            Duration.ofSeconds(2),
            Duration.ofSeconds(30),
            Duration.ofMinutes(1));
  }

  /** Encodings of objects in the store; both are always readable. */
  enum MediaType {
    JSON,
    PROTOBUF
  }

  /** SQLite's {@code synchronous} pragma. */
  enum Synchronous {
    OFF,
    NORMAL,
    FULL
  }

  /** One file in the data directory. */
  record Sqlite(
      Path file,
      Synchronous synchronous,
      String prefix,
      Duration compactionInterval,
      Duration historyRetention,
      MediaType mediaType,
      Monitoring monitoring)
      implements StorageOptions {}

  /**
   * An etcd cluster, and those for some resources.
   *
   * @param cluster the cluster of every resource that has no override
   */
  record Etcd(
      Cluster cluster,
      List<ResourceOverride> overrides,
      String prefix,
      Duration compactionInterval,
      Duration historyRetention,
      MediaType mediaType,
      Monitoring monitoring)
      implements StorageOptions {
    public Etcd {
      overrides = List.copyOf(overrides);
    }
  }

  /**
   * The members of an etcd cluster.
   *
   * @param tls TLS settings; null if all servers use http
   */
  record Cluster(List<URI> servers, @Nullable Tls tls) {
    public Cluster {
      servers = List.copyOf(servers);
    }
  }

  /**
   * A resource that is stored in a cluster of its own.
   *
   * @param group empty for the core group
   * @param resource {@code *} for every resource of the group
   */
  record ResourceOverride(String group, String resource, Cluster cluster) {

    /** Stands for every resource of a group. */
    public static final String ALL = "*";
  }

  /**
   * TLS towards etcd.
   *
   * @param authorities CA certificates in PEM; null for the host's
   * @param client the client certificate; null for none
   */
  record Tls(@Nullable Path authorities, @Nullable KeyPairFiles client) {}
}
