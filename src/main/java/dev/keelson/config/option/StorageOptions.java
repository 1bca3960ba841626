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
      MediaType mediaType)
      implements StorageOptions {}

  /**
   * An etcd cluster.
   *
   * @param tls TLS settings; null if all servers use http
   */
  record Etcd(
      List<URI> servers,
      @Nullable Tls tls,
      String prefix,
      Duration compactionInterval,
      Duration historyRetention,
      MediaType mediaType)
      implements StorageOptions {
    public Etcd {
      servers = List.copyOf(servers);
    }
  }

  /**
   * TLS towards etcd.
   *
   * @param authorities CA certificates in PEM; null for the host's
   * @param client the client certificate; null for none
   */
  record Tls(@Nullable Path authorities, @Nullable KeyPairFiles client) {}
}
