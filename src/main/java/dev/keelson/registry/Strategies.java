package dev.keelson.registry;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.schema.StoredType;
import java.util.Map;

/**
 * The strategies of the kinds that have one.
 *
 * @param byKind by the kind as it is stored
 */
public record Strategies(Map<GroupVersionKind, KindStrategy> byKind) {
  public Strategies {
    byKind = Map.copyOf(byKind);
  }

  public KindStrategy of(StoredType type) {
    return byKind.getOrDefault(type.kind(), KindStrategy.NONE);
  }
}
