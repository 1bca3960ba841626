package dev.keelson.registry.read;

import dev.keelson.api.FieldSelector;
import dev.keelson.api.LabelSelector;

/**
 * Which objects of a collection are meant.
 *
 * @param labels the condition on labels
 * @param fields the condition on fields
 * @param uninitialized what becomes of objects that wait for an initializer
 */
public record ListQuery(LabelSelector labels, FieldSelector fields, Uninitialized uninitialized) {

  /** All of them. */
  public static final ListQuery ALL =
      new ListQuery(LabelSelector.EVERYTHING, FieldSelector.EVERYTHING);

  /** What becomes of objects that wait for an initializer. */
  public enum Uninitialized {
    SHOWN,
    HIDDEN
  }

  /** Initialized or not. */
  public ListQuery(LabelSelector labels, FieldSelector fields) {
    this(labels, fields, Uninitialized.SHOWN);
  }

  public boolean isEverything() {
    return labels.isEverything() && fields.isEverything() && uninitialized == Uninitialized.SHOWN;
  }
}
