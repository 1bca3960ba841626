package dev.keelson.registry;

import dev.keelson.object.ApiObject;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import dev.keelson.watch.CacheEvent;
import java.util.Objects;

/**
 * Whether objects match a selection. Without conditions nothing is decoded; what has to be decoded
 * for an event is decoded once for all its watchers.
 */
final class ObjectMatcher {

  /** Which of an event's two objects is meant. */
  enum Side {
    BEFORE,
    AFTER
  }

  private record Tree(Side side, StoredType type) {}

  private final ResourceDefinition definition;
  private final StoredType type;
  private final ListQuery query;
  private final ObjectForms forms;

  ObjectMatcher(Collection collection, ListQuery query, ObjectForms forms) {
    this.definition = collection.definition();
    this.type = collection.type();
    this.query = query;
    this.forms = forms;
  }

  /** Whether every object matches. */
  boolean matchesAll() {
    return query.isEverything();
  }

  /** Whether an object of an event, which must have it, matches. */
  boolean matches(CacheEvent event, Side side) {
    if (query.isEverything()) {
      return true;
    }
    Entry entry = Objects.requireNonNull(side == Side.BEFORE ? event.before() : event.after());
    return matches(event.derive(new Tree(side, type), () -> decode(entry.value())));
  }

  /** The object in its stored version. */
  ApiObject decode(Bytes value) {
    return forms.decode(type, value);
  }

  /** Whether an object in its stored version matches. */
  boolean matches(ApiObject stored) {
    if (!query.labels().isEverything() && !query.labels().matches(stored.meta().labels())) {
      return false;
    }
    if (query.fields().isEverything()) {
      return true;
    }
    ApiObject served =
        forms.servesStoredShape(definition)
            ? stored
            : forms.convert(stored, type.kind(), definition.gvk());
    return query.fields().matches(field -> FieldValues.of(definition, served, field));
  }
}
