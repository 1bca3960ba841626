package dev.keelson.registry;

import dev.keelson.admission.AdmissionCall;
import dev.keelson.api.ApiException;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.ObjectMeta;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import dev.keelson.storage.WriteOutcome;
import dev.keelson.storage.object.ObjectStore;
import java.util.Optional;

/** Removes an object, or marks it when finalizers hold it. */
final class Deletion {

  private final ObjectStore store;
  private final ObjectForms forms;
  private final WriteSteps steps;
  private final Timestamps timestamps;

  Deletion(ObjectStore store, ObjectForms forms, WriteSteps steps, Timestamps timestamps) {
    this.store = store;
    this.forms = forms;
    this.steps = steps;
    this.timestamps = timestamps;
  }

  /**
   * Deletes the object {@code name}.
   *
   * @return what happened, or empty if there is no such object
   * @throws ApiException of reason Conflict if the object is not the one that the preconditions
   *     name
   */
  Optional<Deleted> delete(
      Collection collection, String name, DeleteQuery query, WriteOptions options) {
    ResourceDefinition definition = collection.definition();
    StoredType type = collection.type();
    while (true) {
      Entry entry = store.get(type, collection.namespace(), name).entry();
      if (entry == null) {
        return Optional.empty();
      }
      ApiObject current = forms.decode(type, entry.value());
      checkPreconditions(definition, name, query, current.meta(), entry.modRevision());
      steps.strategies().of(type).checkDelete(current);
      steps
          .admission()
          .validate(
              new AdmissionCall(
                  Verb.DELETE,
                  definition,
                  "",
                  collection.namespace(),
                  name,
                  null,
                  current,
                  options.user(),
                  options.dryRun(),
                  options.warnings()));
      ApiObject marked = mark(steps.strategies().of(type), current);
      boolean gone = !marked.meta().deleting();
      Bytes value = gone ? entry.value() : forms.encode(type, marked);
      if (options.dryRun() || value.equals(entry.value()) && !gone) {
        return Optional.of(
            new Deleted(new StoredObject(definition, value, entry.modRevision(), marked), gone));
      }
      WriteOutcome outcome =
          gone
              ? store.delete(type, collection.namespace(), name, entry.modRevision())
              : store.replace(type, collection.namespace(), name, value, entry.modRevision());
      switch (outcome) {
        case WriteOutcome.Applied applied -> {
          return Optional.of(
              new Deleted(new StoredObject(definition, value, applied.revision(), marked), gone));
        }
        case WriteOutcome.Missing _ -> {
          return Optional.empty();
        }
        case WriteOutcome.Conflict _ -> {
          // somebody changed it meanwhile: judge the newer state
        }
      }
    }
  }

  private static void checkPreconditions(
      ResourceDefinition definition,
      String name,
      DeleteQuery query,
      ObjectMeta current,
      long revision) {
    if (!query.uid().isEmpty() && !query.uid().equals(current.uid())) {
      throw ApiException.conflict(
          definition.groupResource(),
          name,
          "Precondition failed: UID in precondition: "
              + query.uid()
              + ", UID in object meta: "
              + current.uid());
    }
    if (!query.resourceVersion().isEmpty()
        && !query.resourceVersion().equals(Long.toString(revision))) {
      throw ApiException.conflict(
          definition.groupResource(),
          name,
          "Precondition failed: ResourceVersion in precondition: "
              + query.resourceVersion()
              + ", ResourceVersion in object meta: "
              + revision);
    }
  }

  /** The object with deletion begun if something holds it, or unchanged if it can go at once. */
  private ApiObject mark(KindStrategy strategy, ApiObject current) {
    ObjectMeta meta = current.meta();
    boolean held = !meta.finalizers().isEmpty() || strategy.holdsDeletion(current);
    if (!held) {
      return current.withMeta(meta.without("deletionTimestamp"));
    }
    if (!meta.deleting()) {
      meta =
          meta.with("deletionTimestamp", Node.text(timestamps.now()))
              .with("deletionGracePeriodSeconds", new Node.Int(0));
      if (meta.generation() > 0) {
        meta = meta.withGeneration(meta.generation() + 1);
      }
    }
    return strategy.onDeletionBegun(current.withMeta(meta));
  }
}
