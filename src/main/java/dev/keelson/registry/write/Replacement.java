package dev.keelson.registry.write;

import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.admission.AdmissionFence;
import dev.keelson.api.ApiException;
import dev.keelson.api.FieldCause;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import dev.keelson.registry.Collection;
import dev.keelson.registry.KindStrategy;
import dev.keelson.registry.ObjectCodec;
import dev.keelson.registry.Preconditions;
import dev.keelson.registry.Reservation;
import dev.keelson.registry.StoredObject;
import dev.keelson.registry.Timestamps;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.fieldmanager.ManagedFieldsTimestamps;
import dev.keelson.request.Spans;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import dev.keelson.storage.WriteOutcome;
import dev.keelson.storage.object.ObjectStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Updates an existing object: reads it, applies the update to the current state, validates, and
 * stores the result if the object has not changed. A conflict is retried on the newer state, unless
 * the client set a resourceVersion.
 */
public final class Replacement {

  /** Maximum attempts; each failed attempt means that another writer succeeded. */
  private static final int ATTEMPTS = 100;

  private final ObjectStore store;
  private final ObjectCodec codec;
  private final WriteSteps steps;
  private final CurrentObjects currentObjects;
  private final WriteAdmission admission;
  private final DisabledFields disabled = new DisabledFields();

  public Replacement(
      ObjectStore store,
      CurrentObjects currentObjects,
      ObjectCodec codec,
      WriteSteps steps,
      Timestamps timestamps) {
    this.store = store;
    this.currentObjects = currentObjects;
    this.codec = codec;
    this.steps = steps;
    this.admission = new WriteAdmission(steps, codec);
  }

  /**
   * Changes the object {@code name}.
   *
   * @return the updated object, or empty if it does not exist
   */
  public Optional<StoredObject> update(
      Collection collection,
      String name,
      ObjectPart part,
      UpdateFunction edit,
      WriteOptions options) {
    CurrentObjects.Current state = currentObjects.initial(collection, name, options);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      Entry entry = state.entry();
      if (entry == null) {
        return Optional.empty();
      }
      CurrentObjects.Current next;
      try {
        switch (attempt(collection, name, part, edit, entry, options)) {
          case Attempt.Done done -> {
            return Optional.of(done.object());
          }
          case Attempt.Lost lost -> next = currentObjects.afterRefusal(lost.refusal());
          case Attempt.Unchanged unchanged -> {
            next = currentObjects.confirm(collection, name, state);
            if (next == state) {
              return Optional.of(unchanged.object());
            }
          }
        }
      } catch (ApiException e) {
        next = currentObjects.confirm(collection, name, state);
        if (next == state) {
          throw e;
        }
      }
      state = next;
    }
    throw ApiException.conflict(
        collection.definition().groupResource(),
        name,
        "too many others are changing the object; please try again");
  }

  /** The outcome of one attempt. */
  private sealed interface Attempt {
    /** The change is stored. */
    record Done(StoredObject object) implements Attempt {}

    /** There is nothing to store. */
    record Unchanged(StoredObject object) implements Attempt {}

    /** Another writer changed the object first. */
    record Lost(WriteOutcome refusal) implements Attempt {}
  }

  private Attempt attempt(
      Collection collection,
      String name,
      ObjectPart part,
      UpdateFunction edit,
      Entry entry,
      WriteOptions options) {
    ResourceDefinition definition = collection.definition();
    StoredType type = collection.type();
    ApiObject current = codec.decode(type, entry.value());
    ApiObject wanted = edit.apply(withRevision(current, entry.modRevision()));
    checkPreconditions(collection, name, wanted.meta(), current.meta(), entry.modRevision());
    AdmissionFence fence = new AdmissionFence();
    Reservation reserved =
        beforeUpdate(collection, part, wanted, current, entry.modRevision(), edit, fence, options);
    KindStrategy strategy = steps.strategies().of(type);
    ApiObject next =
        ManagedFieldsTimestamps.ignoreTimestamps(strategy.canonical(reserved.object()), current);
    if (isReleased(strategy, next)) {
      reserved.release();
      Attempt gone = release(collection, name, next, entry, options);
      if (gone instanceof Attempt.Done && !options.dryRun()) {
        strategy.removed(current);
      }
      return gone;
    }
    StoredForm form = new StoredForm(codec, definition, type, next);
    if (options.dryRun() || isStored(collection, name, form.value(), entry)) {
      reserved.release();
      return new Attempt.Unchanged(form.at(entry.modRevision()));
    }
    WriteOutcome outcome =
        Reservations.settled(
            reserved,
            () ->
                form.write(
                    edit.recordsFields(),
                    value ->
                        FencedWrite.store(
                            store,
                            collection.type(),
                            fence,
                            guard ->
                                store.replace(
                                    type,
                                    collection.namespace(),
                                    name,
                                    value,
                                    entry.modRevision(),
                                    guard))));
    if (outcome instanceof WriteOutcome.Applied applied) {
      currentObjects.afterWrite(collection, name, form.value(), entry, applied.revision());
      return new Attempt.Done(form.at(applied.revision()));
    }
    return new Attempt.Lost(outcome);
  }

  /** Whether there is nothing to write; outdated bytes at rest are replaced by the same value. */
  private boolean isStored(Collection collection, String name, Bytes value, Entry entry) {
    return value.equals(entry.value())
        && !store.stale(collection.type(), collection.namespace(), name);
  }

  /** Whether the object is being deleted and nothing delays its removal. */
  private static boolean isReleased(KindStrategy strategy, ApiObject object) {
    ObjectMeta meta = object.meta();
    return meta.deleting()
        && !strategy.holdsDeletion(object)
        && meta.finalizers().isEmpty()
        && (!(meta.node().get("deletionGracePeriodSeconds") instanceof Node.Int grace)
            || grace.value() == 0);
  }

  private Attempt release(
      Collection collection, String name, ApiObject last, Entry entry, WriteOptions options) {
    StoredType type = collection.type();
    Bytes value = codec.encode(type, last);
    if (options.dryRun()) {
      return new Attempt.Done(
          new StoredObject(collection.definition(), value, entry.modRevision(), last));
    }
    WriteOutcome outcome = store.delete(type, collection.namespace(), name, entry.modRevision());
    return outcome instanceof WriteOutcome.Applied applied
        ? new Attempt.Done(
            new StoredObject(collection.definition(), value, applied.revision(), last))
        : new Attempt.Lost(outcome);
  }

  private static void checkPreconditions(
      Collection collection, String name, ObjectMeta wanted, ObjectMeta current, long revision) {
    ResourceDefinition definition = collection.definition();
    String version = wanted.resourceVersion();
    if (version.isEmpty() || version.equals("0")) {
      if (!definition.behaviour().unconditionalUpdate()) {
        // Kubernetes names the plural here, where it else names the kind
        throw ApiException.invalid(
            GroupVersion.of(definition.gvr()).kind(definition.gvr().resource()),
            name,
            List.of(
                new FieldCause(
                    "FieldValueInvalid",
                    "Invalid value: 0x0: must be specified for an update",
                    "metadata.resourceVersion")));
      }
    } else if (!version.equals(Long.toString(revision))) {
      if (!isRevision(version)) {
        throw ApiException.invalid(
            definition.gvk(),
            name,
            List.of(
                FieldCause.invalid(
                    "metadata.resourceVersion", version, "must be a number that the server gave")));
      }
      throw ApiException.conflict(
          definition.groupResource(),
          name,
          "the object has been modified; please apply your changes to the latest version and try"
              + " again");
    }
    Preconditions.checkUid(collection, name, wanted.uid(), current.uid());
  }

  /**
   * Rejects the resourceVersion and the namespace of mutating admission that a client could not
   * send: kube-apiserver compares them after that phase ({@code Store.Update}, {@code
   * BeforeUpdate}).
   */
  private static void checkAdmitted(
      Collection collection,
      ApiObject wanted,
      ObjectMeta admitted,
      ApiObject whole,
      ObjectMeta current,
      long revision) {
    String version = admitted.resourceVersion();
    if (!version.equals(wanted.meta().resourceVersion())) {
      checkPreconditions(
          collection,
          current.name(),
          wanted.meta().withText("resourceVersion", version),
          current,
          revision);
    }
    ApiObject unused = WriteAdmission.inNamespace(collection, whole);
  }

  private static boolean isRevision(String version) {
    return version.length() <= 19 && version.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  private Reservation beforeUpdate(
      Collection collection,
      ObjectPart part,
      ApiObject wanted,
      ApiObject current,
      long revision,
      UpdateFunction edit,
      AdmissionFence fence,
      WriteOptions options) {
    ResourceDefinition definition = collection.definition();
    StoredType type = collection.type();
    KindStrategy strategy = steps.strategies().of(type);
    ApiObject next = prepared(collection, part, wanted, current);
    AdmittedView view = edit.view();
    UnaryOperator<ApiObject> recorder =
        object ->
            steps.fields().recordUpdate(definition, part.subresource(), object, current, options);
    PendingOwnership ownership = PendingOwnership.known();
    if (!edit.recordsFields()) {
      if (view == AdmittedView.WHOLE) {
        ownership = PendingOwnership.of(next, recorder);
        next = PendingOwnership.without(next);
      } else {
        next = recorder.apply(next);
      }
    }
    // admission sees the object as it was sent, and what it changes is prepared again
    ApiObject sent = PendingOwnership.withThoseOf(wanted, next);
    ApiObject shown = view.of(sent);
    AdmissionAttributes call =
        admission.attributes(
            Verb.UPDATE,
            collection,
            part.subresource(),
            current.meta().name(),
            shown,
            view.of(withRevision(current, revision)),
            fence,
            options);
    Spans.event("About to check admission control");
    ApiObject admitted = admission.mutate(call, shown, ownership, options);
    if (admitted != shown) {
      ApiObject whole = view.applied(sent, admitted);
      checkAdmitted(collection, wanted, admitted.meta(), whole, current.meta(), revision);
      next = PendingOwnership.withThoseOf(prepared(collection, part, whole, current), whole);
    }
    if (part != ObjectPart.FINALIZERS && part != ObjectPart.BINDING) {
      next = strategy.prepareForUpdate(next, current);
    }
    if (part != ObjectPart.BINDING
        && definition.behaviour().generation()
        && strategy.raisesGeneration()
        && !desired(definition, part, next).equals(desired(definition, part, current))) {
      next = next.withMeta(next.meta().withGeneration(current.meta().generation() + 1));
    }
    PendingOwnership completing = ownership;
    return Reservations.checked(
        strategy.reserve(next, current, options.dryRun()),
        reserved -> {
          check(definition, part, strategy, reserved, current, options);
          ApiObject whole = completing.completed(reserved);
          ObjectMetaValidation.checkManagers(definition, whole.meta());
          // without a condition of the client, it is the stored version that is replaced
          admission.validate(call.withObject(view.of(withRevision(whole, revision))), options);
          return whole;
        });
  }

  /** Without what the update does not change. */
  private ApiObject prepared(
      Collection collection, ObjectPart part, ApiObject wanted, ApiObject current) {
    StoredType type = collection.type();
    ApiObject next =
        UpdatePreparation.prepare(
            part,
            collection.definition(),
            steps.strategies().of(type),
            keepServerFields(wanted, current),
            current);
    return disabled.dropDisabledFields(type.schema(), next, current);
  }

  private static ApiObject withRevision(ApiObject current, long revision) {
    return current.withMeta(current.meta().withText("resourceVersion", Long.toString(revision)));
  }

  private void check(
      ResourceDefinition definition,
      ObjectPart part,
      KindStrategy strategy,
      ApiObject next,
      ApiObject current,
      WriteOptions options) {
    List<FieldCause> causes =
        new ArrayList<>(ObjectMetaValidation.validateUpdate(next.meta(), current.meta()));
    ObjectMetaValidation.validateFinalizers(definition, next.meta(), causes);
    List<String> warnings = new ArrayList<>();
    ObjectMetaValidation.warnOfFinalizers(definition, next.meta(), current.meta(), warnings::add);
    if (part != ObjectPart.BINDING) {
      // a scheduler may set fields that users may not; Kubernetes validates only the metadata
      causes.addAll(strategy.validate(next));
      causes.addAll(
          steps
              .rules()
              .validateUpdate(definition, part.subresource(), next, current, warnings::add));
    }
    strategy.validateSubresourceUpdate(part.subresource(), next, current, causes);
    if (!causes.isEmpty()) {
      throw ApiException.invalid(definition.gvk(), next.meta().name(), causes);
    }
    warnings.forEach(options.warnings());
  }

  /**
   * Restores the fields that the server maintains: the creation and deletion timestamps of the
   * client are ignored. A deletionTimestamp on an object that is not being deleted, another uid and
   * another grace period are rejected by validation (source: {@code BeforeUpdate} of
   * kube-apiserver).
   */
  private static ApiObject keepServerFields(ApiObject wanted, ApiObject current) {
    ObjectMeta meta = wanted.meta().without("resourceVersion").without("selfLink");
    ObjectMeta old = current.meta();
    for (String field : List.of("uid", "deletionGracePeriodSeconds")) {
      Node kept = old.node().get(field);
      Node sent = meta.node().get(field);
      if (kept != null && (sent == null || sent.equals(Node.text("")))) {
        meta = meta.with(field, kept);
      }
    }
    for (String field : List.of("creationTimestamp", "deletionTimestamp")) {
      Node kept = old.node().get(field);
      meta = kept == null ? meta : meta.with(field, kept);
    }
    Node generation = old.node().get("generation");
    return wanted.withMeta(
        generation == null ? meta.without("generation") : meta.with("generation", generation));
  }

  /**
   * The fields whose change raises the generation: all but metadata and status. The status of a
   * custom resource without a status subresource is a field like any other.
   */
  private static MapNode desired(ResourceDefinition definition, ObjectPart part, ApiObject object) {
    MapNode fields = object.root().without("metadata");
    return definition.custom() != null
            && part != ObjectPart.STATUS
            && !definition.subresources().containsKey("status")
        ? fields
        : fields.without("status");
  }
}
