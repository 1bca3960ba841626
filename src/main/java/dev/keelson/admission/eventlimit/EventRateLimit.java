package dev.keelson.admission.eventlimit;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.ApiException;
import dev.keelson.api.GroupResource;
import dev.keelson.api.Reason;
import dev.keelson.api.Verb;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * EventRateLimit: rejects Events with 429 that exceed the rate of the server, their namespace,
 * user, or source and object. Every limit counts every Event; dry runs are not counted.
 */
public final class EventRateLimit implements Admission {

  private static final GroupResource EVENTS = new GroupResource("", "events");

  private final List<Buckets> limits;

  /**
   * @param nanoTime the time in nanoseconds, from any origin
   */
  public EventRateLimit(EventRateLimitConfiguration configuration, LongSupplier nanoTime) {
    limits = configuration.limits().stream().map(limit -> new Buckets(limit, nanoTime)).toList();
  }

  @Override
  public boolean handles(Verb operation, GroupResource resource, String subresource) {
    return (operation == Verb.CREATE || operation == Verb.UPDATE) && resource.equals(EVENTS);
  }

  @Override
  public void validate(AdmissionAttributes call) {
    if (call.dryRun()) {
      return;
    }
    Set<String> exceeded = new LinkedHashSet<>();
    for (Buckets buckets : limits) {
      String key = buckets.limit().type().key(call);
      if (!buckets.take(key)) {
        boolean unused =
            exceeded.add(
                "limit reached on type %s for key %s"
                    .formatted(buckets.limit().type().text(), key));
      }
    }
    if (!exceeded.isEmpty()) {
      String all = String.join(", ", exceeded);
      throw new ApiException(
          Reason.TOO_MANY_REQUESTS,
          "Too many requests: " + (exceeded.size() == 1 ? all : "[" + all + "]"));
    }
  }
}
