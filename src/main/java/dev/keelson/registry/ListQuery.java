package dev.keelson.registry;

import dev.keelson.api.FieldSelector;
import dev.keelson.api.LabelSelector;

/**
 * Which objects of a collection are meant.
 *
 * @param labels the condition on labels
 * @param fields the condition on fields
 */
public record ListQuery(LabelSelector labels, FieldSelector fields) {

  /** All of them. */
  public static final ListQuery ALL =
      new ListQuery(LabelSelector.EVERYTHING, FieldSelector.EVERYTHING);

  public boolean isEverything() {
    return labels.isEverything() && fields.isEverything();
  }
}
