package dev.keelson.server.metrics;

import dev.keelson.authn.oidc.IssuerMetrics;
import dev.keelson.http.health.InfoSeries;
import dev.keelson.http.health.Metrics;
import dev.keelson.storage.encryption.kms.KeyIds;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The metrics of issuers of tokens, under Kubernetes' names (source: apiserver,
 * plugin/authenticator/token/oidc/metrics.go). Issuers and servers are named by digests.
 */
public final class IssuerMeters implements IssuerMetrics {

  private static final String PREFIX = "apiserver_authentication_jwt_authenticator_";
  private static final String ISSUER = "jwt_issuer_hash";
  private static final String SERVER = "apiserver_id_hash";
  private static final List<String> OUTCOMES = List.of("success", "failure");
  private static final List<Duration> BOUNDS =
      Stream.of(1, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000)
          .map(Duration::ofMillis)
          .toList();

  private final Metrics metrics;
  private final MeterRegistry registry;
  private final InstantSource clock;
  private final Supplier<String> serverId;
  private final InfoSeries keySets;

  /** What is known of the last fetches; guarded by this. */
  private final Map<Fetched, Fetch> fetches = new HashMap<>();

  /** The digests of the key sets by issuer; guarded by this. */
  private final Map<String, String> digests = new HashMap<>();

  private record Fetched(String issuer, String outcome) {}

  private record Fetch(Meter.Id meter, AtomicLong millis) {}

  /**
   * Meters that appear with what is first recorded.
   *
   * @param serverId the identity of this server, asked for with the first fetch
   */
  public IssuerMeters(Metrics metrics, InstantSource clock, Supplier<String> serverId) {
    this.metrics = metrics;
    this.registry = metrics.registry();
    this.clock = clock;
    this.serverId = serverId;
    this.keySets =
        metrics.infos(
            PREFIX + "jwks_fetch_last_key_set_info",
            "The digest of the key set that was last fetched from an issuer.",
            List.of(SERVER, "hash", ISSUER));
  }

  @Override
  public void verified(String issuer, boolean accepted, Duration took) {
    metrics.time(
        PREFIX + "latency",
        "Time to verify a token of an issuer that is not in the cache.",
        Map.of("result", accepted ? "success" : "failure", ISSUER, KeyIds.hash(issuer)),
        BOUNDS,
        took);
  }

  @Override
  public synchronized void fetched(String issuer, String keySet) {
    String now = KeyIds.hash(keySet);
    String before = digests.put(issuer, now);
    if (before != null && !before.equals(now)) {
      keySets.remove(labels(issuer, before));
    }
    keySets.add(labels(issuer, now));
    told(issuer, "success");
  }

  @Override
  public synchronized void notFetched(String issuer) {
    told(issuer, "failure");
  }

  @Override
  public synchronized void removed(String issuer) {
    String digest = digests.remove(issuer);
    if (digest != null) {
      keySets.remove(labels(issuer, digest));
    }
    for (String outcome : OUTCOMES) {
      Fetch fetch = fetches.remove(new Fetched(issuer, outcome));
      if (fetch != null) {
        registry.remove(fetch.meter);
      }
    }
  }

  private List<String> labels(String issuer, String digest) {
    return List.of(KeyIds.hash(serverId.get()), digest, KeyIds.hash(issuer));
  }

  private void told(String issuer, String outcome) {
    fetches.computeIfAbsent(new Fetched(issuer, outcome), this::fetch).millis.set(clock.millis());
  }

  private Fetch fetch(Fetched fetched) {
    AtomicLong millis = new AtomicLong();
    Gauge gauge =
        Gauge.builder(
                PREFIX + "jwks_fetch_last_timestamp_seconds",
                millis,
                time -> time.doubleValue() / 1000)
            .description("Time of the last fetch of an issuer's keys, by what came of it.")
            .tags(
                Tags.of(
                    "result",
                    fetched.outcome,
                    ISSUER,
                    KeyIds.hash(fetched.issuer),
                    SERVER,
                    KeyIds.hash(serverId.get())))
            .strongReference(true)
            .register(registry);
    return new Fetch(gauge.getId(), millis);
  }
}
