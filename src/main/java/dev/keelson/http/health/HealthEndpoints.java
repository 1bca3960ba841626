package dev.keelson.http.health;

import dev.keelson.value.GoQuote;
import dev.keelson.value.Utf8Order;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/**
 * Serves {@code /healthz}, {@code /livez} and {@code /readyz} and their single checks, in the
 * format of kube-apiserver. The report withholds the reasons of failures, since everyone may read
 * it.
 *
 * <p>Checks may be added at any time and run in the order in which they were added.
 */
public final class HealthEndpoints {

  private final Map<Probe, List<HealthCheck>> checks = new EnumMap<>(Probe.class);

  private final CheckResults results = new CheckResults();

  public HealthEndpoints() {
    for (Probe probe : Probe.values()) {
      checks.put(probe, new CopyOnWriteArrayList<>());
    }
  }

  /** Adds a check to some of the probes. */
  public void add(HealthCheck check, Collection<Probe> probes) {
    for (Probe probe : probes) {
      checksOf(probe).add(check);
    }
  }

  /**
   * Handles a request.
   *
   * @param path the path without the query
   * @param query the parameters: {@code verbose}, with any value, lists every check, and each
   *     {@code exclude} skips one
   * @return empty if the path is not served
   */
  public Optional<TextResponse> answer(String path, Map<String, List<String>> query) {
    for (Probe probe : Probe.values()) {
      if (path.equals(probe.path()) || path.equals(probe.path() + "/")) {
        return Optional.of(whole(probe, query));
      }
      if (path.startsWith(probe.path() + "/")) {
        String name = path.substring(probe.path().length() + 1);
        return checksOf(probe).stream()
            .filter(check -> check.name().equals(name))
            .findFirst()
            .map(HealthEndpoints::single);
      }
    }
    return Optional.empty();
  }

  /** The results of the checks so far, as {@code /metrics/slis} shows them. */
  TextResponse indicators() {
    return TextResponse.of("text/plain; version=0.0.4; charset=utf-8", results.text());
  }

  /** Forgets the results of the checks so far. */
  void resetIndicators() {
    results.reset();
  }

  /** Every served path, checks included. */
  public List<String> paths() {
    List<String> paths = new ArrayList<>();
    for (Probe probe : Probe.values()) {
      paths.add(probe.path());
      checksOf(probe).forEach(check -> paths.add(probe.path() + "/" + check.name()));
    }
    return paths;
  }

  /** Whether {@code path} is served; runs no check. */
  boolean serves(String path) {
    return paths().contains(path)
        || (path.endsWith("/")
            && Arrays.stream(Probe.values()).anyMatch(probe -> path.equals(probe.path() + "/")));
  }

  private TextResponse whole(Probe probe, Map<String, List<String>> query) {
    NavigableSet<String> excluded = new TreeSet<>(Utf8Order::compare);
    excluded.addAll(query.getOrDefault("exclude", List.of()));
    NavigableSet<String> unknown = new TreeSet<>(excluded);
    StringBuilder report = new StringBuilder();
    boolean failed = false;
    for (HealthCheck check : checksOf(probe)) {
      Optional<String> group = check.group().filter(excluded::contains);
      if (excluded.contains(check.name())) {
        unknown.remove(check.name());
        report.append("[+]").append(check.name()).append(" excluded: ok\n");
        continue;
      }
      if (group.isPresent()) {
        report.append("[+]").append(check.name()).append(" excluded with ");
        report.append(group.get()).append(": ok\n");
        continue;
      }
      boolean passed = check.failure().isEmpty();
      results.record(check.name(), probe, passed);
      if (!passed) {
        failed = true;
        report.append("[-]").append(check.name()).append(" failed: reason withheld\n");
      } else {
        report.append("[+]").append(check.name()).append(" ok\n");
      }
    }
    if (!unknown.isEmpty()) {
      report
          .append("warn: some health checks cannot be excluded: no matches for ")
          .append(unknown.stream().map(GoQuote::quote).collect(Collectors.joining(",")))
          .append('\n');
    }
    if (failed) {
      return TextResponse.plain(500, report + probe.word() + " check failed\n");
    }
    return TextResponse.plain(
        200, query.containsKey("verbose") ? report + probe.word() + " check passed\n" : "ok");
  }

  private static TextResponse single(HealthCheck check) {
    return check
        .failure()
        .map(reason -> TextResponse.plain(500, "internal server error: " + reason + "\n"))
        .orElseGet(() -> TextResponse.plain(200, "ok"));
  }

  private List<HealthCheck> checksOf(Probe probe) {
    List<HealthCheck> found = checks.get(probe);
    if (found == null) {
      throw new IllegalStateException("no list for " + probe);
    }
    return found;
  }
}
