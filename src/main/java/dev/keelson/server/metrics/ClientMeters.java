package dev.keelson.server.metrics;

import dev.keelson.http.health.Buckets;
import dev.keelson.webhook.CallListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The meters of requests to webhooks, by client-go's names (source: component-base,
 * metrics/prometheus/restclient). There are as many series as administrators name hosts.
 */
public final class ClientMeters implements CallListener {

  private static final Duration[] LATENCY =
      Buckets.seconds(0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60);

  private static final double[] BYTES = {
    64, 256, 512, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216
  };

  private static final String VERB = "POST";

  private final MeterRegistry registry;
  private final Map<String, Host> hosts = new ConcurrentHashMap<>();
  private final Map<Answered, Counter> answers = new ConcurrentHashMap<>();

  private record Answered(String host, String code) {}

  private record Host(Timer times, DistributionSummary sent, DistributionSummary received) {}

  /** Meters in {@code registry}, each with its first value. */
  public ClientMeters(MeterRegistry registry) {
    this.registry = registry;
  }

  @Override
  public void called(Call call) {
    answers.computeIfAbsent(new Answered(call.host(), call.code()), this::counter).increment();
    Host host = hosts.computeIfAbsent(call.host(), this::host);
    host.times.record(Duration.ofNanos(call.nanos()));
    host.sent.record((double) call.requestBytes());
    host.received.record((double) call.responseBytes());
  }

  private Counter counter(Answered answered) {
    return Counter.builder("rest_client_requests_total")
        .description("Requests to other servers by their answers.")
        .tags("code", answered.code, "host", answered.host, "method", VERB)
        .register(registry);
  }

  private Host host(String name) {
    return new Host(
        Timer.builder("rest_client_request_duration")
            .description("Time from a request to another server to its answer.")
            .tags("host", name, "verb", VERB)
            .serviceLevelObjectives(LATENCY)
            .register(registry),
        sizes("rest_client_request_size_bytes", "Size of requests to other servers.", name),
        sizes("rest_client_response_size_bytes", "Size of the answers of other servers.", name));
  }

  private DistributionSummary sizes(String meter, String help, String host) {
    return DistributionSummary.builder(meter)
        .description(help)
        .tags("host", host, "verb", VERB)
        .serviceLevelObjectives(BYTES)
        .register(registry);
  }
}
