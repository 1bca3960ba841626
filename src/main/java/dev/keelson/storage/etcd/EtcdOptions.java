package dev.keelson.storage.etcd;

import dev.keelson.storage.Bytes;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * The options of an {@link EtcdStore}.
 *
 * @param endpoints where etcd's members listen, such as {@code https://10.0.0.1:2379}: at least
 *     one, and all with the same scheme; {@code https} means TLS
 * @param tls the files for TLS; {@link EtcdTls#NONE} without it
 * @param deadline how long a call may take; half a second later at the most it has ended
 * @param maxRequestBytes the most bytes of key and value of one write together; etcd itself refuses
 *     what is above its {@code --max-request-bytes}
 * @param pageEntries the most entries of one page
 * @param feedChanges how many changes a feed keeps for a reader that is slow, before it stops its
 *     watch and goes on when the reader has taken them
 * @param feedBytes the same by the size of keys and values. One response of etcd, of at most 1000
 *     revisions, is always taken, so that what is kept can be larger by one
 * @param keepAlive after how long a silence a connection is probed (at least 10 s), and how long an
 *     answer to that may take
 * @param progressInterval how often a quiet feed asks how far it has got
 * @param revisionKey the key whose read tells the revision, not empty; it need not exist, but the
 *     user must have the right to read it
 */
public record EtcdOptions(
    List<URI> endpoints,
    EtcdTls tls,
    Duration deadline,
    int maxRequestBytes,
    int pageEntries,
    int feedChanges,
    int feedBytes,
    Duration keepAlive,
    Duration progressInterval,
    Bytes revisionKey) {

  /** Before all keys that objects have. */
  private static final Bytes FIRST_KEY = Bytes.wrap(new byte[] {0});

  /** etcd's own default for the size of a request. */
  private static final int DEFAULT_REQUEST_BYTES = 1536 * 1024;

  public EtcdOptions {
    endpoints = List.copyOf(endpoints);
    if (endpoints.isEmpty()) {
      throw new IllegalArgumentException("at least one etcd endpoint is needed");
    }
    endpoints.forEach(EtcdOptions::check);
    if (endpoints.stream().map(URI::getScheme).distinct().count() > 1) {
      throw new IllegalArgumentException(
          "etcd endpoints must be all http or all https: " + endpoints);
    }
    if (!tls.equals(EtcdTls.NONE) && !"https".equals(endpoints.getFirst().getScheme())) {
      throw new IllegalArgumentException(
          "certificates for etcd are given, but its endpoints are not https: " + endpoints);
    }
    requirePositive("deadline", deadline);
    requirePositive("keepAlive", keepAlive);
    requirePositive("progressInterval", progressInterval);
    if (revisionKey.isEmpty()) {
      throw new IllegalArgumentException("revisionKey must not be empty");
    }
    if (maxRequestBytes < 1 || pageEntries < 1 || feedChanges < 1 || feedBytes < 1) {
      throw new IllegalArgumentException(
          "limits out of range: maxRequestBytes=%d pageEntries=%d feedChanges=%d feedBytes=%d"
              .formatted(maxRequestBytes, pageEntries, feedChanges, feedBytes));
    }
  }

  private static void check(URI endpoint) {
    String scheme = endpoint.getScheme();
    if (!("http".equals(scheme) || "https".equals(scheme)) || endpoint.getHost() == null) {
      throw new IllegalArgumentException(
          "an etcd endpoint looks like https://host:2379, not '%s'".formatted(endpoint));
    }
  }

  private static void requirePositive(String name, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(name + " must be positive, not " + value);
    }
  }

  /** No files for TLS, 10 s deadline, etcd's request limit. */
  public static EtcdOptions defaults(List<URI> endpoints) {
    return new EtcdOptions(
        endpoints,
        EtcdTls.NONE,
        Duration.ofSeconds(10),
        DEFAULT_REQUEST_BYTES,
        1000,
        10_000,
        16 << 20,
        Duration.ofSeconds(10),
        Duration.ofSeconds(1),
        FIRST_KEY);
  }

  /** Whether connections are encrypted. */
  boolean encrypted() {
    return "https".equals(endpoints.getFirst().getScheme());
  }

  /** These options with other files for TLS. */
  public EtcdOptions withTls(EtcdTls other) {
    return new EtcdOptions(
        endpoints,
        other,
        deadline,
        maxRequestBytes,
        pageEntries,
        feedChanges,
        feedBytes,
        keepAlive,
        progressInterval,
        revisionKey);
  }

  /** These options with another {@code deadline}. */
  public EtcdOptions withDeadline(Duration other) {
    return new EtcdOptions(
        endpoints,
        tls,
        other,
        maxRequestBytes,
        pageEntries,
        feedChanges,
        feedBytes,
        keepAlive,
        progressInterval,
        revisionKey);
  }

  /** These options with other bounds of what a feed keeps for its reader. */
  public EtcdOptions withFeedLimits(int changes, int bytes) {
    return new EtcdOptions(
        endpoints,
        tls,
        deadline,
        maxRequestBytes,
        pageEntries,
        changes,
        bytes,
        keepAlive,
        progressInterval,
        revisionKey);
  }

  /** These options with another {@code revisionKey}. */
  public EtcdOptions withRevisionKey(Bytes key) {
    return new EtcdOptions(
        endpoints,
        tls,
        deadline,
        maxRequestBytes,
        pageEntries,
        feedChanges,
        feedBytes,
        keepAlive,
        progressInterval,
        key);
  }
}
