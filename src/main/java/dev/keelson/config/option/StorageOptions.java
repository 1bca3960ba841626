package dev.keelson.config.option;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where objects are kept. */
public sealed interface StorageOptions {

  /** What every key begins with, without a slash at the end. */
  String prefix();

  /** How often the history is cut; zero is never. */
  Duration compactionInterval();

  /** What objects are written in. */
  MediaType mediaType();

  /** What objects can be written in; all of them are read. */
  enum MediaType {
    JSON,
    PROTOBUF
  }

  /** How certain SQLite makes a commit, in the words of its {@code synchronous} pragma. */
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
      MediaType mediaType)
      implements StorageOptions {}

  /**
   * An etcd cluster.
   *
   * @param tls how it is reached by https; null if all servers are http
   */
  record Etcd(
      List<URI> servers,
      @Nullable Tls tls,
      String prefix,
      Duration compactionInterval,
      MediaType mediaType)
      implements StorageOptions {
    public Etcd {
      servers = List.copyOf(servers);
    }
  }

  /**
   * TLS towards etcd.
   *
   * @param authorities whom to trust, in PEM; null is the machine's own list
   * @param client the client certificate; null if none is shown
   */
  record Tls(@Nullable Path authorities, @Nullable KeyPairFiles client) {}
}
