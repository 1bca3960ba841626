package dev.keelson.server.health;

import dev.keelson.http.health.HealthCheck;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A health check that passes once the parts of the server that do some work have started. The names
 * are those of kube-apiserver, whose clients ask for them.
 *
 * @param name the name of the check
 * @param parts the names of the parts that do the work
 * @param started whether a part has started
 */
record StartCheck(String name, List<String> parts, Predicate<String> started)
    implements HealthCheck {

  StartCheck {
    parts = List.copyOf(parts);
  }

  @Override
  public Optional<String> failure() {
    return parts.stream().allMatch(started) ? Optional.empty() : Optional.of("not finished");
  }
}
