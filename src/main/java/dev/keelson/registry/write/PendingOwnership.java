package dev.keelson.registry.write;

import dev.keelson.admission.FieldOwnership;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The {@code managedFields} of a write, which are computed when mutating admission shows the object
 * to somebody outside of the server, and otherwise after validation. Used by one thread.
 */
final class PendingOwnership implements FieldOwnership {

  private static final String ENTRIES = "managedFields";

  /** Null if the object has its entries from the start. */
  private final @Nullable ApiObject sent;

  private final UnaryOperator<ApiObject> recorder;
  private boolean computed;
  private boolean shown;

  /** Null for none, and before they are computed. */
  private @Nullable Node entries;

  private PendingOwnership(@Nullable ApiObject sent, UnaryOperator<ApiObject> recorder) {
    this.sent = sent;
    this.recorder = recorder;
    this.shown = sent == null;
  }

  /** For an object that has its entries. */
  static PendingOwnership known() {
    return new PendingOwnership(null, UnaryOperator.identity());
  }

  /**
   * The entries that {@code recorder} gives to the object as it was sent, with those of the client.
   */
  static PendingOwnership of(ApiObject sent, UnaryOperator<ApiObject> recorder) {
    return new PendingOwnership(sent, recorder);
  }

  /** The object without entries. */
  static ApiObject without(ApiObject object) {
    return object.meta().node().has(ENTRIES)
        ? object.withMeta(object.meta().without(ENTRIES))
        : object;
  }

  /** The object with the entries of another one. */
  static ApiObject withThoseOf(ApiObject object, ApiObject from) {
    return with(object, from.meta().node().get(ENTRIES));
  }

  @Override
  public ApiObject recorded(ApiObject object) {
    if (shown) {
      return object;
    }
    shown = true;
    return before(object);
  }

  /** Whether admission has seen, and may have changed, the entries. */
  boolean isShown() {
    return shown;
  }

  /** The object with the entries that it has before anybody changes them. */
  ApiObject before(ApiObject object) {
    if (sent == null) {
      return object;
    }
    if (!computed) {
      entries = recorder.apply(sent).meta().node().get(ENTRIES);
      computed = true;
    }
    return with(object, entries);
  }

  /** The object with its entries after validation. */
  ApiObject completed(ApiObject object) {
    return shown ? object : before(object);
  }

  private static ApiObject with(ApiObject object, @Nullable Node entries) {
    return entries == null
        ? without(object)
        : object.withMeta(object.meta().with(ENTRIES, entries));
  }
}
