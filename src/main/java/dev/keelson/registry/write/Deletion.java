package dev.keelson.registry.write;

import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.ApiException;
import dev.keelson.api.GroupResource;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.ObjectMeta;
import dev.keelson.registry.Collection;
import dev.keelson.registry.KindStrategy;
import dev.keelson.registry.NamespaceLifecycle;
import dev.keelson.registry.ObjectCodec;
import dev.keelson.registry.StoredObject;
import dev.keelson.registry.Timestamps;
import dev.keelson.registry.WriteOptions;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import dev.keelson.storage.WriteOutcome;
import dev.keelson.storage.object.ObjectStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Deletes an object, or sets its deletionTimestamp while finalizers or a grace period delay the
 * removal (source: the generic store of kube-apiserver).
 */
public final class Deletion {

  private static final GroupVersionKind NAMESPACE = GroupVersion.CORE_V1.kind("Namespace");

  /** The kinds whose storage checks preconditions itself, with their resources. */
  private static final Map<GroupVersionKind, String> OWN_CHECKS =
      Map.of(
          NAMESPACE,
          "namespaces",
          new GroupVersion("apiextensions.k8s.io", "v1").kind("CustomResourceDefinition"),
          "customresourcedefinitions");

  private final ObjectStore store;
  private final ObjectCodec codec;
  private final WriteSteps steps;
  private final Timestamps timestamps;
  private final NamespaceLifecycle namespaces;
  private final CurrentObjects currentObjects;
  private final WriteAdmission admission;

  public Deletion(
      ObjectStore store,
      CurrentObjects currentObjects,
      ObjectCodec codec,
      WriteSteps steps,
      Timestamps timestamps,
      NamespaceLifecycle namespaces) {
    this.store = store;
    this.currentObjects = currentObjects;
    this.codec = codec;
    this.steps = steps;
    this.timestamps = timestamps;
    this.namespaces = namespaces;
    this.admission = new WriteAdmission(steps, codec);
  }

  /** How a delete changes the stored object. */
  private sealed interface Step {
    /** Nothing: the object is being deleted. */
    record Keep() implements Step {}

    /** Sets the deletionTimestamp. */
    record Mark(ApiObject object) implements Step {}

    /** Sets the deletionTimestamp, so that watchers see it, and removes the object. */
    record MarkAndRemove(ApiObject object) implements Step {}

    /** Removes the object. */
    record Remove() implements Step {}
  }

  /**
   * Deletes the object {@code name}, or begins its deletion if finalizers or a grace period delay
   * the removal.
   *
   * @return the result, or empty if there is no such object
   * @throws ApiException of reason Conflict if the object is not the one that the preconditions
   *     name
   */
  public Optional<Deleted> delete(
      Collection collection, String name, DeleteQuery query, WriteOptions options) {
    return delete(collection, name, name, query, options);
  }

  /**
   * Deletes an object of a collection that is deleted: admission sees no name, as in Kubernetes.
   *
   * @return as {@link #delete(Collection, String, DeleteQuery, WriteOptions)} does
   */
  Optional<Deleted> deleteListed(
      Collection collection, String name, DeleteQuery query, WriteOptions options) {
    return delete(collection, name, "", query, options);
  }

  private Optional<Deleted> delete(
      Collection collection,
      String name,
      String admittedName,
      DeleteQuery query,
      WriteOptions options) {
    DeletionFinalizers.warn(collection.definition(), query, options);
    DeleteQuery conditions = query;
    @Nullable Deleted marked = null;
    @Nullable ApiObject written = null;
    CurrentObjects.Current state = currentObjects.initial(collection, name, options);
    while (true) {
      Entry entry = state.entry();
      if (entry == null) {
        return Optional.ofNullable(marked);
      }
      ApiObject current;
      Step step;
      try {
        current = written == null ? codec.decode(collection.type(), entry.value()) : written;
        written = null;
        String revision = Long.toString(entry.modRevision());
        GroupVersionKind kind = collection.type().kind();
        checkPreconditions(kind, name, conditions, current.meta(), revision);
        step = beforeDelete(collection, current, conditions);
        if (!(step instanceof Step.Keep)) {
          // kube-apiserver does not ask about the delete of what is ending already
          admit(collection, admittedName, current, revision, options);
        }
      } catch (ApiException e) {
        CurrentObjects.Current now = currentObjects.confirm(collection, name, state);
        if (now == state) {
          throw e;
        }
        state = now;
        continue;
      }
      if (options.dryRun()) {
        return Optional.of(foreseen(collection, step, current, entry));
      }
      switch (step) {
        case Step.Keep _ -> {
          CurrentObjects.Current now = currentObjects.confirm(collection, name, state);
          if (now == state) {
            return Optional.of(
                unchanged(collection, entry, current, entry.modRevision(), /* gone= */ false));
          }
          state = now;
        }
        case Step.Mark mark -> {
          Marking marking = mark(collection, name, mark.object(), state, entry);
          if (marking.held() != null) {
            return Optional.of(marking.held());
          }
          state = marking.next();
        }
        case Step.MarkAndRemove mark -> {
          Marking marking = mark(collection, name, mark.object(), state, entry);
          if (marking.held() != null) {
            StoredObject object = marking.held().object();
            marked = new Deleted(object, true);
            written = mark.object();
            conditions = conditions.following(object.revision());
          }
          state = marking.next();
        }
        case Step.Remove _ -> {
          WriteOutcome outcome =
              store.delete(collection.type(), collection.namespace(), name, entry.modRevision());
          if (outcome instanceof WriteOutcome.Applied applied) {
            steps.strategies().of(collection.type()).removed(current);
            return Optional.of(
                unchanged(collection, entry, current, applied.revision(), /* gone= */ true));
          }
          state = currentObjects.afterRefusal(outcome);
        }
      }
      // the object was marked and can be removed now, or another writer changed or removed it
    }
  }

  private void admit(
      Collection collection,
      String name,
      ApiObject current,
      String revision,
      WriteOptions options) {
    if (!name.isEmpty()) {
      // as in Kubernetes, the deletion of a collection takes what cannot be deleted by its name
      steps.strategies().of(collection.type()).checkDelete(current);
    }
    // plugins see the object as a client reads it
    ApiObject shown = current.withMeta(current.meta().withText("resourceVersion", revision));
    AdmissionAttributes call =
        admission.attributes(Verb.DELETE, collection, "", name, null, shown, options);
    admission.delete(call, options);
  }

  private Deleted foreseen(Collection collection, Step step, ApiObject current, Entry entry) {
    long revision = entry.modRevision();
    return switch (step) {
      case Step.Keep _ -> unchanged(collection, entry, current, revision, /* gone= */ false);
      case Step.Mark mark -> deleted(collection, mark.object(), revision, /* gone= */ false);
      case Step.MarkAndRemove mark ->
          deleted(collection, mark.object(), revision, /* gone= */ true);
      case Step.Remove _ -> unchanged(collection, entry, current, revision, /* gone= */ true);
    };
  }

  private static Deleted unchanged(
      Collection collection, Entry entry, ApiObject object, long revision, boolean gone) {
    return new Deleted(
        new StoredObject(collection.definition(), entry.value(), revision, object), gone);
  }

  private Deleted deleted(Collection collection, ApiObject object, long revision, boolean gone) {
    Bytes value = codec.encode(collection.type(), object);
    return new Deleted(new StoredObject(collection.definition(), value, revision, object), gone);
  }

  /**
   * The result of setting the deletionTimestamp.
   *
   * @param held the marked object, or null if another writer changed it
   * @param next the state to continue with
   */
  private record Marking(@Nullable Deleted held, CurrentObjects.Current next) {}

  private Marking mark(
      Collection collection,
      String name,
      ApiObject object,
      CurrentObjects.Current state,
      Entry entry) {
    Deleted held = deleted(collection, object, entry.modRevision(), /* gone= */ false);
    Bytes value = held.object().value();
    if (value.equals(entry.value())) {
      CurrentObjects.Current now = currentObjects.confirm(collection, name, state);
      return new Marking(now == state ? held : null, now);
    }
    WriteOutcome outcome =
        store.replace(collection.type(), collection.namespace(), name, value, entry.modRevision());
    if (collection.type().kind().equals(NAMESPACE)) {
      namespaces.changed(name);
    }
    if (!(outcome instanceof WriteOutcome.Applied applied)) {
      return new Marking(null, currentObjects.afterRefusal(outcome));
    }
    long revision = applied.revision();
    StoredObject marked = new StoredObject(collection.definition(), value, revision, object);
    return new Marking(
        new Deleted(marked, /* gone= */ false),
        currentObjects.afterWrite(collection, name, value, entry, revision));
  }

  /**
   * Checks preconditions. The messages are those of kube-apiserver: its generic store names the
   * kind where it else names the resource, and namespaces and definitions of custom resources have
   * messages of their own.
   */
  public static void checkPreconditions(
      GroupVersionKind kind, String name, DeleteQuery query, ObjectMeta current, String revision) {
    String resource = OWN_CHECKS.getOrDefault(kind, "");
    boolean own = !resource.isEmpty();
    GroupResource what = new GroupResource(kind.group(), own ? resource : kind.kind());
    String uid = query.uid();
    if (uid != null && !uid.equals(current.uid())) {
      throw ApiException.conflict(
          what,
          name,
          own
              ? "Precondition failed: UID in precondition: "
                  + uid
                  + ", UID in object meta: "
                  + current.uid()
              : "the UID in the precondition ("
                  + uid
                  + ") does not match the UID in record ("
                  + current.uid()
                  + "). The object might have been deleted and then recreated");
    }
    String version = query.resourceVersion();
    if (version != null && !version.equals(revision)) {
      throw ApiException.conflict(
          what,
          name,
          own
              ? "Precondition failed: ResourceVersion in precondition: "
                  + version
                  + ", ResourceVersion in object meta: "
                  + revision
              : "the ResourceVersion in the precondition ("
                  + version
                  + ") does not match the ResourceVersion in record ("
                  + revision
                  + "). The object might have been modified");
    }
  }

  private Step beforeDelete(Collection collection, ApiObject current, DeleteQuery query) {
    KindStrategy strategy = steps.strategies().of(collection.type());
    Optional<ApiObject> own = strategy.beginDeletion(current, timestamps.now());
    if (own.isPresent()) {
      return new Step.Mark(own.get());
    }
    if (strategy.holdsDeletion(current)) {
      return heldByItsKind(collection, strategy, current, query);
    }
    ApiObject object = current;
    boolean graceful = false;
    long seconds = 0;
    switch (GracefulDeletion.of(strategy, current, query.graceSeconds(), timestamps)) {
      case GracefulDeletion.Outcome.Pending _ -> {
        return new Step.Keep();
      }
      case GracefulDeletion.Outcome.Graceful begun -> {
        graceful = true;
        object = begun.object();
        seconds = begun.seconds();
      }
      case GracefulDeletion.Outcome.None _ -> {
        // deleted at once
      }
    }
    object = withFinalizers(collection, object, query);
    boolean held = !object.meta().finalizers().isEmpty();
    if (graceful) {
      return held || seconds > 0 ? new Step.Mark(object) : new Step.MarkAndRemove(object);
    }
    if (!held) {
      return new Step.Remove();
    }
    return new Step.Mark(strategy.onDeletionBegun(marked(object)));
  }

  /** Marks a namespace, which has no grace period. */
  private Step heldByItsKind(
      Collection collection, KindStrategy strategy, ApiObject current, DeleteQuery query) {
    if (current.meta().deleting()) {
      return new Step.Keep();
    }
    ApiObject object = withFinalizers(collection, current, query);
    ObjectMeta meta = object.meta().with("deletionTimestamp", Node.text(timestamps.now()));
    return new Step.Mark(
        strategy.onDeletionBegun(object.withMeta(generationRaised(meta, current))));
  }

  private static ApiObject withFinalizers(
      Collection collection, ApiObject object, DeleteQuery query) {
    ObjectMeta meta = object.meta();
    List<String> finalizers =
        DeletionFinalizers.finalizers(collection.definition(), meta, query.propagation());
    return object.withMeta(
        finalizers.isEmpty()
            ? meta.without("finalizers")
            : meta.with("finalizers", Node.texts(finalizers)));
  }

  private ApiObject marked(ApiObject object) {
    ObjectMeta meta = object.meta();
    String now = timestamps.now();
    // a deletionTimestamp in the future, set by a grace period, becomes the present
    if (!meta.deleting() || meta.deletionTimestamp().compareTo(now) > 0) {
      meta = meta.with("deletionTimestamp", Node.text(now));
    }
    return object.withMeta(
        generationRaised(meta, object).with("deletionGracePeriodSeconds", new Node.Int(0)));
  }

  private static ObjectMeta generationRaised(ObjectMeta meta, ApiObject before) {
    long generation = before.meta().generation();
    return generation == 0 || before.meta().deleting() ? meta : meta.withGeneration(generation + 1);
  }
}
