package dev.keelson.cel.plan;

import dev.keelson.cel.type.EvaluationError;
import dev.keelson.cel.type.TreeMapView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A loop over a list or map: what the macros are made of. */
final class Loop extends Step {

  /** The steps of a loop. */
  record Parts(Step range, Step start, Step condition, Step step, Step result) {}

  /** The variables of a loop; {@code second} is negative if there is none. */
  record Slots(int first, int second, int accumulator) {}

  private final Parts parts;
  private final Slots slots;

  Loop(Parts parts, Slots slots) {
    this.parts = parts;
    this.slots = slots;
  }

  @Override
  Object value(Frame frame) {
    Object range = parts.range.value(frame);
    frameAccumulator(frame, parts.start);
    switch (range) {
      case List<?> list -> overList(frame, list);
      case Map<?, ?> map -> overMap(frame, map);
      default ->
          throw new EvaluationError(
              slots.second < 0
                  ? "got '" + GoTypes.of(range) + "', expected iterable type"
                  : "unsupported comprehension range type: " + GoTypes.of(range));
    }
    return parts.result.value(frame);
  }

  private void overList(Frame frame, List<?> list) {
    for (int i = 0; i < list.size(); i++) {
      Object item = list.get(i);
      if (!round(frame, slots.second < 0 ? item : (Object) (long) i, item)) {
        return;
      }
    }
  }

  private void overMap(Frame frame, Map<?, ?> map) {
    if (slots.second < 0) {
      Collection<?> keys =
          map instanceof TreeMapView view ? view.keys() : new ArrayList<>(map.keySet());
      for (Object key : keys) {
        if (!round(frame, key, null)) {
          return;
        }
      }
      return;
    }
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      if (!round(frame, entry.getKey(), entry.getValue())) {
        return;
      }
    }
  }

  private boolean round(Frame frame, Object first, @Nullable Object second) {
    frame.round();
    frame.set(slots.first, first);
    if (slots.second >= 0) {
      frame.set(slots.second, second);
    }
    if (!Logic.truth(parts.condition.value(frame))) {
      return false;
    }
    frameAccumulator(frame, parts.step);
    return true;
  }

  /**
   * Sets the accumulator. An error becomes its value: the macros {@code all} and {@code exists} go
   * on after one, and a later element may decide.
   */
  private void frameAccumulator(Frame frame, Step step) {
    Object value;
    try {
      value = step.value(frame);
    } catch (EvaluationError e) {
      value = e;
    }
    frame.set(slots.accumulator, value);
  }
}
