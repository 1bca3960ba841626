package dev.keelson.admission.quota;

import dev.keelson.quota.UsageFences;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Fences without a store. */
final class KnownFences implements UsageFences {

  private final Map<String, Long> known = new ConcurrentHashMap<>();

  @Override
  public String key(String namespace) {
    return "quotafences/" + namespace;
  }

  @Override
  public long known(String namespace) {
    return known.getOrDefault(namespace, 0L);
  }

  @Override
  public void learn(String namespace, long revision) {
    Long unused = known.put(namespace, revision);
  }

  @Override
  public void raise(String namespace) {
    Long unused = known.merge(namespace, 1L, Long::sum);
  }
}
