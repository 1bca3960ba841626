package dev.keelson.schema.validation.resource;

import dev.keelson.object.Node;
import dev.keelson.schema.validation.Value;

/** Counters by their names, of a counter set or of what a device consumes. */
final class CounterRules {

  private static final int MOST_COUNTERS = 32;

  private CounterRules() {}

  /** Requires one counter at least; every quantity is valid. */
  static void validate(Value counters) {
    if (counters.size() == 0) {
      counters.required();
    } else if (counters.size() > MOST_COUNTERS) {
      counters.tooMany(MOST_COUNTERS);
    } else {
      for (Value counter : counters) {
        DeviceNames.label(counters.holding(Node.text(counter.name())));
      }
    }
  }
}
