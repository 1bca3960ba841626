package dev.keelson.audit;

import dev.keelson.audit.event.Level;
import dev.keelson.audit.event.RequestFacts;
import dev.keelson.request.RequestInfo;
import dev.keelson.request.UserInfo;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Begins the audit of requests. The policies are evaluated before anything is built, so that a
 * request that no policy names costs no more than that. Safe for use by any thread.
 */
public final class Auditor {

  private final @Nullable Route configured;
  private final Supplier<List<Route>> dynamic;
  private final AuditMetrics metrics;
  private final InstantSource clock;

  /**
   * An auditor.
   *
   * @param configured the back ends of the command line with their policy, or null if there are
   *     none
   * @param dynamic the back ends that come and go at run time
   */
  public Auditor(
      @Nullable Route configured,
      Supplier<List<Route>> dynamic,
      AuditMetrics metrics,
      InstantSource clock) {
    this.configured = configured;
    this.dynamic = dynamic;
    this.metrics = metrics;
    this.clock = clock;
  }

  /**
   * Begins the audit of a request.
   *
   * @param user who sent it, before impersonation; null if authentication failed
   * @param facts makes the facts of the request; asked only if something is recorded
   * @return null if nothing is recorded
   */
  public @Nullable AuditedRequest begin(
      @Nullable UserInfo user, RequestInfo info, Supplier<RequestFacts> facts) {
    Selected first = null;
    Route route = configured;
    if (route != null) {
      first = select(route, user, info);
      metrics.level(first == null ? Level.NONE : first.config().level());
    }
    List<Route> others = dynamic.get();
    if (others.isEmpty()) {
      return first == null ? null : audited(List.of(first), info, facts);
    }
    List<Selected> selected = new ArrayList<>(others.size() + 1);
    if (first != null) {
      selected.add(first);
    }
    for (Route other : others) {
      Selected one = select(other, user, info);
      if (one != null) {
        selected.add(one);
      }
    }
    return selected.isEmpty() ? null : audited(selected, info, facts);
  }

  private AuditedRequest audited(
      List<Selected> selected, RequestInfo info, Supplier<RequestFacts> facts) {
    return new AuditedRequest(selected, info, facts.get(), metrics, clock);
  }

  private static @Nullable Selected select(Route route, @Nullable UserInfo user, RequestInfo info) {
    AuditConfig config = route.policy().evaluate(user, info);
    return config.level() == Level.NONE ? null : new Selected(config, route.sink());
  }
}
