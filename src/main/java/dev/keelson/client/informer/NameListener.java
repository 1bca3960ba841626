package dev.keelson.client.informer;

import java.util.function.Consumer;

/** Passes on the names of objects alone, to a work queue for instance. */
public final class NameListener<T> implements ObjectListener<T> {

  private final Consumer<ObjectName> present;
  private final Consumer<ObjectName> absent;

  private NameListener(Consumer<ObjectName> present, Consumer<ObjectName> absent) {
    this.present = present;
    this.absent = absent;
  }

  /**
   * Tells the names of objects that appeared or changed: for a controller with which nothing is
   * left to do once the object is gone.
   */
  public static <T> NameListener<T> ofPresent(Consumer<ObjectName> callback) {
    return new NameListener<>(callback, name -> {});
  }

  /** Tells the names of objects that appeared, changed or were deleted. */
  public static <T> NameListener<T> ofAny(Consumer<ObjectName> callback) {
    return new NameListener<>(callback, callback);
  }

  @Override
  public void added(ObjectName name, T object) {
    present.accept(name);
  }

  @Override
  public void updated(ObjectName name, T before, T after) {
    present.accept(name);
  }

  @Override
  public void deleted(ObjectName name, T last) {
    absent.accept(name);
  }
}
