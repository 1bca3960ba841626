package dev.keelson.controller.quota;

import dev.keelson.api.GroupResource;
import dev.keelson.client.QuotaFeed;
import dev.keelson.object.ApiObject;
import dev.keelson.quota.Evaluator;
import dev.keelson.quota.Evaluators;
import dev.keelson.quota.Quota;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The quotas that the feed has shown. Safe for use by several threads; nothing blocks. */
final class KnownQuotas {

  private static final Set<GroupResource> CHANGEABLE =
      Set.of(
          new GroupResource("", "pods"),
          new GroupResource("", "services"),
          new GroupResource("", "persistentvolumeclaims"));

  private final Evaluators evaluators;
  private final LongSupplier nanos;
  private final Map<String, Map<String, Seen>> byNamespace = new ConcurrentHashMap<>();

  /**
   * A quota.
   *
   * @param nanos when it was seen first with its revision
   * @param doubtful whether its usage may not be that of what is stored: it was charged, or its
   *     limits changed, and what was admitted before that was not charged
   */
  private record Seen(Quota quota, long nanos, boolean doubtful) {}

  KnownQuotas(Evaluators evaluators, LongSupplier nanos) {
    this.evaluators = evaluators;
    this.nanos = nanos;
  }

  /** Takes a quota; returns the one before. */
  Optional<Quota> put(Quota quota) {
    long now = nanos.getAsLong();
    AtomicReference<@Nullable Seen> before = new AtomicReference<>();
    Map<String, Seen> unusedKnown =
        byNamespace.compute(
            quota.namespace(),
            (_, known) -> {
              Map<String, Seen> next = known == null ? new ConcurrentHashMap<>() : known;
              @Nullable Seen old = next.get(quota.name());
              before.set(old);
              boolean charged =
                  old != null
                      && (old.doubtful || !quota.used().exceeding(old.quota.used()).isEmpty());
              boolean limited = !quota.wanted().equals(quota.hard());
              Seen unused = next.put(quota.name(), new Seen(quota, now, charged || limited));
              return next;
            });
    return Optional.ofNullable(before.get())
        .map(Seen::quota)
        .filter(old -> old.uid().equals(quota.uid()));
  }

  void remove(QuotaKey key) {
    Map<String, Seen> unused =
        byNamespace.computeIfPresent(
            key.namespace(),
            (_, known) -> {
              known.remove(key.name());
              return known.isEmpty() ? null : known;
            });
  }

  void clear() {
    byNamespace.clear();
  }

  boolean any() {
    return !byNamespace.isEmpty();
  }

  boolean isLimited(String namespace) {
    return byNamespace.containsKey(namespace);
  }

  Collection<Quota> all() {
    List<Quota> quotas = new ArrayList<>();
    byNamespace.values().forEach(known -> known.values().forEach(seen -> quotas.add(seen.quota)));
    return quotas;
  }

  /**
   * The quotas that were charged or got other limits, but not within {@code time}: a charged object
   * may not have been stored, and one that was admitted before the limits may have been stored
   * after the count. Each is returned once after such changes.
   */
  List<QuotaKey> takeDoubtful(Duration time) {
    long now = nanos.getAsLong();
    List<QuotaKey> keys = new ArrayList<>();
    for (Map<String, Seen> known : byNamespace.values()) {
      known.replaceAll(
          (_, seen) -> {
            if (!seen.doubtful || now - seen.nanos < time.toNanos()) {
              return seen;
            }
            keys.add(QuotaKey.of(seen.quota));
            return new Seen(seen.quota, seen.nanos, false);
          });
    }
    return keys;
  }

  /** The quotas of a namespace that limit a type. */
  List<QuotaKey> tracking(GroupResource resource, String namespace) {
    Evaluator evaluator = evaluators.of(resource);
    // the same objects may also be served, and limited, by another group
    String number = "count/" + resource.resource();
    return byNamespace.getOrDefault(namespace, Map.of()).values().stream()
        .map(Seen::quota)
        .filter(
            quota ->
                !evaluator.matchingResources(quota.hard().names()).isEmpty()
                    || quota.hard().names().stream().anyMatch(name -> name.startsWith(number)))
        .map(QuotaKey::of)
        .toList();
  }

  boolean followsUpdates(GroupResource resource) {
    return CHANGEABLE.contains(resource);
  }

  /** Whether an update may have lowered usage. */
  boolean replenishes(GroupResource resource, QuotaFeed.Update update) {
    @Nullable ApiObject before = update.before().orElse(null);
    return before == null || evaluators.of(resource).replenishes(before, update.after());
  }

  /** Whether the quota has had its revision for at least {@code time}. */
  boolean settled(Quota quota, Duration time) {
    @Nullable Seen seen = byNamespace.getOrDefault(quota.namespace(), Map.of()).get(quota.name());
    return seen != null
        && seen.quota.revision() == quota.revision()
        && nanos.getAsLong() - seen.nanos >= time.toNanos();
  }
}
