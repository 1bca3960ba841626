package dev.keelson.server.metrics;

import dev.keelson.http.health.Metrics;
import dev.keelson.storage.encryption.kms.KeyIds;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * kube-apiserver's metrics of one configuration file that is reloaded, {@code
 * apiserver_authorization_config_controller_*} and the like (source: apiserver, {@code
 * pkg/server/options/authorizationconfig/metrics}). Safe for use by several threads.
 */
public final class ReloadMeters {

  private static final String SERVER = "apiserver_id_hash";

  private final MeterRegistry registry;
  private final InstantSource clock;
  private final String prefix;
  private final String serverHash;
  private final Tags server;
  private final Map<String, AtomicLong> times = new ConcurrentHashMap<>();
  private final Consumer<List<String>> applied;

  /**
   * Meters that appear with what is first recorded.
   *
   * @param configuration {@code authentication}, {@code authorization} or {@code encryption}
   * @param serverId the identity of this server, of which the metrics have a hash
   */
  public ReloadMeters(Metrics metrics, InstantSource clock, String configuration, String serverId) {
    this.registry = metrics.registry();
    this.clock = clock;
    this.prefix = "apiserver_" + configuration + "_config_controller_";
    this.serverHash = KeyIds.hash(serverId);
    this.server = Tags.of(SERVER, serverHash);
    this.applied =
        metrics.info(
            prefix + "last_config_info",
            "The digest of the configuration that is in effect.",
            List.of(SERVER, "hash"));
  }

  /**
   * Counts a changed file.
   *
   * @param outcome {@code success} or {@code failure}
   */
  public void reloaded(String outcome) {
    Tags tags = server.and("status", outcome);
    Counter.builder(prefix + "automatic_reloads_total")
        .description("Changed configuration files, by what came of them.")
        .tags(tags)
        .register(registry)
        .increment();
    times.computeIfAbsent(outcome, one -> time(tags)).set(clock.millis());
  }

  private AtomicLong time(Tags tags) {
    AtomicLong millis = new AtomicLong();
    Gauge unused =
        Gauge.builder(
                prefix + "automatic_reload_last_timestamp_seconds",
                millis,
                time -> time.doubleValue() / 1000)
            .description("Time of the last change of a configuration file, by what came of it.")
            .tags(tags)
            .strongReference(true)
            .register(registry);
    return millis;
  }

  /** Tells the digest of the configuration that is in effect; the one before is not told. */
  public void applied(String digest) {
    applied.accept(List.of(serverHash, digest));
  }
}
