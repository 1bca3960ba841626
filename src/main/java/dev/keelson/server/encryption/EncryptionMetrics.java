package dev.keelson.server.encryption;

import dev.keelson.http.health.Metrics;
import dev.keelson.request.Span;
import dev.keelson.request.Spans;
import dev.keelson.server.metrics.ReloadMeters;
import dev.keelson.storage.encryption.kms.KeyIds;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * kube-apiserver's metrics of encryption at rest (apiserver pkg/storage/value/metrics.go and
 * encrypt/envelope/metrics, server/options/encryptionconfig/metrics).
 */
final class EncryptionMetrics implements EncryptionListener {

  private static final String TRANSFORMATION = "apiserver_storage_transformation_";
  private static final String ENVELOPE = "apiserver_envelope_encryption_";

  // what kube-apiserver's spans tell of a transformation

  private static final List<String> ENCRYPTED =
      List.of(
          "About to encrypt data using DEK",
          "Data encryption succeeded",
          "About to encode encrypted object",
          "Encoded encrypted object");
  private static final List<String> DECRYPTED =
      List.of(
          "About to decode encrypted object",
          "Decoded encrypted object",
          "About to decrypt data using DEK",
          "Data decryption succeeded");

  private final MeterRegistry registry;

  private final InstantSource clock;
  private final Tags server;
  private final Map<Transformation, Counter> transformations = new ConcurrentHashMap<>();
  private final Map<Transformation, Timer> durations = new ConcurrentHashMap<>();
  private final Map<Use, Key> keys = new ConcurrentHashMap<>();
  private final Map<String, AtomicLong> times = new ConcurrentHashMap<>();
  private final Map<String, AtomicLong> kept = new ConcurrentHashMap<>();
  private final ReloadMeters reloads;
  private final Counter misses;
  private final Timer seeds;

  private record Transformation(Direction direction, String prefix, String status) {}

  private record Use(Direction direction, String provider, String keyId) {}

  private record Key(Counter uses, AtomicLong last) {}

  /**
   * The metrics of one server.
   *
   * @param serverId its identity, of which the metrics have a hash
   */
  EncryptionMetrics(Metrics metrics, InstantSource clock, String serverId) {
    this.registry = metrics.registry();
    this.clock = clock;
    server = Tags.of("apiserver_id_hash", KeyIds.hash(serverId));
    reloads = new ReloadMeters(metrics, clock, "encryption", serverId);
    declare(registry);
    misses = misses(registry);
    seeds = seeds(registry);
  }

  /** Registers what kube-apiserver has without encryption, too, with the value 0. */
  static void declare(MeterRegistry registry) {
    Counter unusedMisses = misses(registry);
    Timer unusedSeeds = seeds(registry);
    // the random numbers of the JDK do not fail
    Counter unusedFailures =
        Counter.builder("apiserver_storage_data_key_generation_failures_total")
            .description("Seeds that could not be generated.")
            .register(registry);
    Gauge unusedFilled =
        Gauge.builder(ENVELOPE + "dek_cache_fill_percent", () -> 0)
            .description("Share of the cache of KMS v1 that is used; there is none.")
            .register(registry);
  }

  private static Counter misses(MeterRegistry registry) {
    return Counter.builder("apiserver_storage_envelope_transformation_cache_misses_total")
        .description("Seeds that were not in memory when a value was decrypted.")
        .register(registry);
  }

  private static Timer seeds(MeterRegistry registry) {
    return Timer.builder("apiserver_storage_data_key_generation_duration")
        .description("Time that it took to generate a seed.")
        .serviceLevelObjectives(doubling(5_000, 14))
        .register(registry);
  }

  /** Bounds that double from {@code nanos}. */
  private static Duration[] doubling(long nanos, int count) {
    Duration[] bounds = new Duration[count];
    for (int i = 0; i < count; i++) {
      bounds[i] = Duration.ofNanos(nanos << i);
    }
    return bounds;
  }

  @Override
  public void transformed(Direction direction, String prefix, String status, long nanos) {
    Transformation what = new Transformation(direction, prefix, status);
    transformations.computeIfAbsent(what, this::transformationCounter).increment();
    traced(direction, prefix, status, nanos);
    if (status.equals("OK")) {
      durations
          .computeIfAbsent(what, this::transformationTimer)
          .record(nanos, TimeUnit.NANOSECONDS);
    }
  }

  /** The span of a transformation by a key management service, as kube-apiserver has it. */
  private static void traced(Direction direction, String prefix, String status, long nanos) {
    Span request = prefix.startsWith(ConfiguredTransformers.KMS) ? Spans.current() : null;
    if (request == null) {
      return;
    }
    Span span =
        request
            .begun(
                direction == Direction.TO_STORAGE
                    ? "TransformToStorage with envelopeTransformer"
                    : "TransformFromStorage with envelopeTransformer",
                nanos)
            .with(
                "transformer.provider.name",
                prefix.substring(ConfiguredTransformers.KMS.length(), prefix.length() - 1));
    if (status.equals("OK")) {
      for (String event : direction == Direction.TO_STORAGE ? ENCRYPTED : DECRYPTED) {
        Span unused = span.event(event);
      }
    } else {
      span.failed(status);
    }
    span.end();
  }

  private Counter transformationCounter(Transformation what) {
    return Counter.builder(TRANSFORMATION + "operations_total")
        .description("Transformations of values, by their outcome.")
        .tags(tags(what).and("status", what.status()))
        .register(registry);
  }

  private Timer transformationTimer(Transformation what) {
    return Timer.builder(TRANSFORMATION + "duration")
        .description("Time that it took to transform a value.")
        .tags(tags(what))
        .serviceLevelObjectives(doubling(5_000, 25))
        .register(registry);
  }

  private static Tags tags(Transformation what) {
    return Tags.of(
        "transformation_type", what.direction().label(), "transformer_prefix", what.prefix());
  }

  @Override
  public void called(String provider, String method, String status, long nanos) {
    Timer.builder(ENVELOPE + "kms_operations_latency")
        .description("Time of a call of a key management service.")
        .tags("provider_name", provider, "method_name", method, "grpc_status_code", status)
        .serviceLevelObjectives(doubling(100_000, 20))
        .register(registry)
        .record(nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void keyUsed(Direction direction, String provider, String keyId) {
    Key key = keys.computeIfAbsent(new Use(direction, provider, keyId), this::key);
    key.uses().increment();
    key.last().setRelease(clock.millis());
  }

  private Key key(Use use) {
    Tags tags =
        server.and(
            "transformation_type",
            use.direction().label(),
            "provider_name",
            use.provider(),
            "key_id_hash",
            KeyIds.hash(use.keyId()));
    AtomicLong last = new AtomicLong();
    seconds(ENVELOPE + "key_id_hash_last_timestamp_seconds", tags, last);
    Counter uses =
        Counter.builder(ENVELOPE + "key_id_hash_total")
            .description("Values that a key encrypted or decrypted.")
            .tags(tags)
            .register(registry);
    return new Key(uses, last);
  }

  /** A gauge of a time in milliseconds. */
  private void seconds(String name, Tags tags, AtomicLong millis) {
    Gauge.builder(name, millis, time -> time.doubleValue() / 1000)
        .tags(tags)
        .strongReference(true)
        .register(registry);
  }

  @Override
  public void cacheMissed() {
    misses.increment();
  }

  @Override
  public void seedKept(String provider, long count) {
    kept.computeIfAbsent(provider, this::keptGauge).set(count);
  }

  private AtomicLong keptGauge(String provider) {
    AtomicLong count = new AtomicLong();
    Gauge.builder(ENVELOPE + "dek_source_cache_size", count, AtomicLong::doubleValue)
        .description("Seeds in memory; a server that starts asks the service for about as many.")
        .tags("provider_name", provider)
        .strongReference(true)
        .register(registry);
    return count;
  }

  @Override
  public void seedGenerated(long nanos) {
    seeds.record(nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void keyReported(String provider, String keyId) {
    now(
        ENVELOPE + "key_id_hash_status_last_timestamp_seconds",
        server.and("provider_name", provider, "key_id_hash", KeyIds.hash(keyId)));
  }

  private void now(String name, Tags tags) {
    times
        .computeIfAbsent(
            name + tags,
            one -> {
              AtomicLong time = new AtomicLong();
              seconds(name, tags, time);
              return time;
            })
        .set(clock.millis());
  }

  @Override
  public void keyRejected(String provider, String error) {
    Counter.builder(ENVELOPE + "invalid_key_id_from_status_total")
        .description("Keys that a service told and that are not allowed.")
        .tags("provider_name", provider, "error", error)
        .register(registry)
        .increment();
  }

  @Override
  public void reloaded(String outcome) {
    reloads.reloaded(outcome);
  }

  @Override
  public void applied(String digest) {
    reloads.applied(digest);
  }
}
