package dev.keelson.registry;

import dev.keelson.api.FieldSelector;
import dev.keelson.object.ApiObject;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.storage.Entry;
import dev.keelson.storage.object.ObjectStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads one object or a collection. Without selectors nothing is decoded. */
final class Reading {

  private final ObjectStore store;
  private final ObjectForms forms;

  Reading(ObjectStore store, ObjectForms forms) {
    this.store = store;
    this.forms = forms;
  }

  Optional<StoredObject> get(Collection collection, String name) {
    Entry entry = store.get(collection.type(), collection.namespace(), name).entry();
    return entry == null
        ? Optional.empty()
        : Optional.of(
            new StoredObject(collection.definition(), entry.value(), entry.modRevision(), null));
  }

  Listing list(Collection collection, ListQuery query) {
    FieldValues.check(collection.definition(), query.fields());
    List<StoredObject> items = new ArrayList<>();
    long revision =
        store.list(
            collection.type(),
            collection.namespace(),
            entry -> {
              StoredObject match = matching(collection, query, entry);
              if (match != null) {
                items.add(match);
              }
            });
    return new Listing(collection.definition(), items, revision);
  }

  private @Nullable StoredObject matching(Collection collection, ListQuery query, Entry entry) {
    ResourceDefinition definition = collection.definition();
    ApiObject tree = null;
    if (!query.isEverything()) {
      tree = forms.decode(collection.type(), entry.value());
      if (!matches(definition, collection.type(), query, tree)) {
        return null;
      }
    }
    return new StoredObject(definition, entry.value(), entry.modRevision(), tree);
  }

  private boolean matches(
      ResourceDefinition definition, StoredType type, ListQuery query, ApiObject stored) {
    if (!query.labels().isEverything() && !query.labels().matches(stored.meta().labels())) {
      return false;
    }
    FieldSelector fields = query.fields();
    if (fields.isEverything()) {
      return true;
    }
    ApiObject served =
        forms.servesStoredShape(definition)
            ? stored
            : forms.convert(stored, type.kind(), definition.gvk());
    return fields.matches(field -> FieldValues.of(definition, served, field));
  }
}
