package dev.keelson.registry.read;

import dev.keelson.api.FieldSelector;
import dev.keelson.api.LabelSelector;

/**
 * Selects objects of a collection.
 *
 * @param labels the condition on labels
 * @param fields the condition on fields
 * @param uninitialized how to treat objects with pending initializers
 */
public record ListQuery(LabelSelector labels, FieldSelector fields, Uninitialized uninitialized) {

  /** All of them. */
  public static final ListQuery ALL =
      new ListQuery(LabelSelector.EVERYTHING, FieldSelector.EVERYTHING);

  /** How to treat objects with pending initializers. */
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
