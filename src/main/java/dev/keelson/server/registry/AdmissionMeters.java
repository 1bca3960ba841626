package dev.keelson.server.registry;

import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.admission.plugin.AdmissionMetrics;
import dev.keelson.admission.podsecurity.Level;
import dev.keelson.admission.podsecurity.LevelVersion;
import dev.keelson.admission.podsecurity.Mode;
import dev.keelson.admission.podsecurity.PodSecurityMetrics;
import dev.keelson.admission.podsecurity.PolicyVersion;
import dev.keelson.api.Verb;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The metrics of admission under kube-apiserver's names. Meters are looked up by small records,
 * which are few: plugins, policies and operations.
 */
public final class AdmissionMeters implements AdmissionMetrics, PodSecurityMetrics {

  private static final Duration[] BOUNDS = {
    Duration.ofMillis(5),
    Duration.ofMillis(25),
    Duration.ofMillis(100),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofMillis(2500)
  };

  /** The time that quantiles look back. */
  private static final Duration SUMMARIZED = Duration.ofHours(5);

  /** The version of the API; policies of later ones are counted as one. */
  private static final int MINOR = 36;

  private final MeterRegistry registry;
  private final Map<Call, Timer> timers = new ConcurrentHashMap<>();
  private final Map<Call, DistributionSummary> summaries = new ConcurrentHashMap<>();
  private final Map<Evaluation, Counter> evaluations = new ConcurrentHashMap<>();
  private final Map<Other, Counter> others = new ConcurrentHashMap<>();

  private record Call(String plugin, Verb operation, Phase phase, boolean rejected) {}

  private record Evaluation(boolean allowed, LevelVersion policy, Mode mode, Request request) {}

  /**
   * @param fatal whether an error was; empty for exemptions
   */
  private record Other(String fatal, Request request) {}

  private record Request(String operation, String resource, String subresource) {
    static Request of(AdmissionAttributes call) {
      return new Request(
          call.operation().name().toLowerCase(Locale.ROOT),
          call.concerns("", "pods")
              ? "pod"
              : call.concerns("", "namespaces") ? "namespace" : "controller",
          call.subresource());
    }

    Tags tags() {
      return Tags.of(
          "request_operation", operation, "resource", resource, "subresource", subresource);
    }
  }

  /** The commonest counts of Pod Security are there from the start, at zero. */
  public AdmissionMeters(MeterRegistry registry) {
    this.registry = registry;
    LevelVersion privileged = new LevelVersion(Level.PRIVILEGED, PolicyVersion.LATEST);
    for (String operation : List.of("create", "update")) {
      Request pod = new Request(operation, "pod", "");
      evaluations(new Evaluation(/* allowed= */ true, privileged, Mode.ENFORCE, pod));
      exemptions(pod);
      exemptions(new Request(operation, "controller", ""));
    }
  }

  @Override
  public void plugin(String plugin, Verb operation, Phase phase, boolean rejected, long nanos) {
    timers
        .computeIfAbsent(new Call(plugin, operation, phase, rejected), this::timer)
        .record(nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void step(Verb operation, Phase phase, boolean rejected, long nanos) {
    summaries
        .computeIfAbsent(new Call("", operation, phase, rejected), this::summary)
        .record(nanos / 1e9);
    timers
        .computeIfAbsent(new Call("", operation, phase, rejected), this::timer)
        .record(nanos, TimeUnit.NANOSECONDS);
  }

  private DistributionSummary summary(Call call) {
    return DistributionSummary.builder(
            "apiserver_admission_step_admission_duration_seconds_summary")
        .description("Quantiles of the duration of admission in the last hours, by phase.")
        .tags(
            "operation",
            call.operation().name(),
            "rejected",
            Boolean.toString(call.rejected()),
            "type",
            call.phase().text())
        .publishPercentiles(0.5, 0.9, 0.99)
        .distributionStatisticExpiry(SUMMARIZED)
        .register(registry);
  }

  /** A call without a name is that of all plugins. */
  private Timer timer(Call call) {
    boolean all = call.plugin().isEmpty();
    return Timer.builder(
            all
                ? "apiserver_admission_step_admission_duration"
                : "apiserver_admission_controller_admission_duration")
        .description("Duration of admission by operation and phase, and of each plugin.")
        .tags(all ? Tags.empty() : Tags.of("name", call.plugin()))
        .tags(
            "operation",
            call.operation().name(),
            "rejected",
            Boolean.toString(call.rejected()),
            "type",
            call.phase().text())
        .serviceLevelObjectives(BOUNDS)
        .register(registry);
  }

  @Override
  public void evaluated(boolean allowed, LevelVersion policy, Mode mode, AdmissionAttributes call) {
    evaluations
        .computeIfAbsent(new Evaluation(allowed, policy, mode, Request.of(call)), this::evaluations)
        .increment();
  }

  private Counter evaluations(Evaluation evaluation) {
    LevelVersion policy = evaluation.policy();
    return Counter.builder("pod_security_evaluations_total")
        .description("Pod Security decisions that were not exempt.")
        .tags(evaluation.request().tags())
        .tags(
            "decision",
            evaluation.allowed() ? "allow" : "deny",
            "mode",
            evaluation.mode().text(),
            "policy_level",
            policy.level().text(),
            "policy_version",
            version(policy))
        .register(registry);
  }

  /** A privileged policy is the same in all versions. */
  private static String version(LevelVersion policy) {
    PolicyVersion version = policy.version();
    if (policy.level() == Level.PRIVILEGED || version.equals(PolicyVersion.LATEST)) {
      return PolicyVersion.LATEST.toString();
    }
    return version.minor() > MINOR ? "future" : version.toString();
  }

  @Override
  public void exempted(AdmissionAttributes call) {
    others
        .computeIfAbsent(new Other("", Request.of(call)), other -> exemptions(other.request()))
        .increment();
  }

  private Counter exemptions(Request request) {
    return Counter.builder("pod_security_exemptions_total")
        .description("Requests that were exempt from Pod Security.")
        .tags(request.tags())
        .register(registry);
  }

  @Override
  public void failed(boolean fatal, AdmissionAttributes call) {
    others
        .computeIfAbsent(
            new Other(Boolean.toString(fatal), Request.of(call)),
            other ->
                Counter.builder("pod_security_errors_total")
                    .description("Requests whose Pod Security policy could not be read.")
                    .tags(other.request().tags())
                    .tags("fatal", other.fatal())
                    .register(registry))
        .increment();
  }
}
