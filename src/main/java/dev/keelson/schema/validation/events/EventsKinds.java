package dev.keelson.schema.validation.events;

import dev.keelson.api.GroupKind;
import dev.keelson.schema.validation.KindRules;
import java.util.Map;

/** The kinds of events.k8s.io. */
public final class EventsKinds {
  private EventsKinds() {}

  /** The rules by stored kind; immutable. */
  public static Map<GroupKind, KindRules> rules() {
    return Map.ofEntries(Map.entry(new GroupKind("events.k8s.io", "Event"), new EventRules()));
  }
}
