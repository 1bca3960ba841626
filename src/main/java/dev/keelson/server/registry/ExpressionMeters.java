package dev.keelson.server.registry;

import dev.keelson.api.FieldCause;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.CustomResourceVersion;
import dev.keelson.schema.structural.validation.CustomExpressions;
import dev.keelson.schema.validation.apiextensions.SchemaExpressions;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long the rules of custom resources take to compile, by schema, and to evaluate, by
 * object, under the names of kube-apiserver.
 */
public final class ExpressionMeters {

  /** The default buckets of Prometheus. */
  private static final Duration[] BOUNDS = {
    Duration.ofMillis(5),
    Duration.ofMillis(10),
    Duration.ofMillis(25),
    Duration.ofMillis(50),
    Duration.ofMillis(100),
    Duration.ofMillis(250),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofMillis(2500),
    Duration.ofSeconds(5),
    Duration.ofSeconds(10)
  };

  private final Timer compilation;
  private final Timer evaluation;

  /** Registers the timers. */
  public ExpressionMeters(MeterRegistry registry) {
    compilation = timer(registry, "compilation", "CEL compilation time in seconds.");
    evaluation = timer(registry, "evaluation", "CEL evaluation time in seconds.");
  }

  private static Timer timer(MeterRegistry registry, String step, String help) {
    return Timer.builder("apiserver_cel_" + step + "_duration")
        .description(help)
        .serviceLevelObjectives(BOUNDS)
        .register(registry);
  }

  /** Measures the rules of definitions. */
  SchemaExpressions compilation(SchemaExpressions expressions) {
    return request -> recorded(compilation, () -> expressions.check(request));
  }

  /** Measures the rules of objects; versions without rules are not counted. */
  CustomExpressions evaluation(CustomExpressions expressions) {
    return new Evaluated(expressions, evaluation);
  }

  private record Evaluated(CustomExpressions expressions, Timer timer)
      implements CustomExpressions {

    @Override
    public boolean areIn(CustomResourceVersion version) {
      return expressions.areIn(version);
    }

    @Override
    public List<FieldCause> validate(
        CustomResourceVersion version,
        MapNode object,
        @Nullable MapNode old,
        Consumer<String> warnings) {
      return recorded(timer, () -> expressions.validate(version, object, old, warnings));
    }
  }

  /** Like {@link Timer#record}, of what is never null. */
  private static <T> T recorded(Timer timer, Supplier<T> measured) {
    long begin = System.nanoTime();
    try {
      return measured.get();
    } finally {
      timer.record(System.nanoTime() - begin, TimeUnit.NANOSECONDS);
    }
  }
}
