package dev.keelson.registry.write;

import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.FieldCause;
import dev.keelson.api.GroupResource;
import dev.keelson.api.Reason;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.ObjectMeta;
import dev.keelson.registry.Collection;
import dev.keelson.registry.KindStrategy;
import dev.keelson.registry.NamespaceLifecycle;
import dev.keelson.registry.ObjectCodec;
import dev.keelson.registry.Reservation;
import dev.keelson.registry.StoredObject;
import dev.keelson.registry.Timestamps;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.fieldmanager.FieldManager;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import dev.keelson.storage.WriteOutcome;
import dev.keelson.storage.object.ObjectStore;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Creates an object: completes its metadata, validates it, stores it. */
public final class Creation {

  /** How often a generated name may collide before the create fails. */
  private static final int NAME_ATTEMPTS = 8;

  private final ObjectStore store;
  private final ObjectCodec codec;
  private final WriteSteps steps;
  private final NamespaceLifecycle namespaces;
  private final CustomTypeLifecycle types;
  private final ObjectNames names;
  private final WriteAdmission admission;
  private final DisabledFields disabled = new DisabledFields();
  private final Timestamps timestamps;

  public Creation(
      ObjectStore store,
      ObjectCodec codec,
      WriteSteps steps,
      NamespaceLifecycle namespaces,
      CustomTypeLifecycle types,
      ObjectNames names,
      Timestamps timestamps) {
    this.store = store;
    this.codec = codec;
    this.steps = steps;
    this.namespaces = namespaces;
    this.types = types;
    this.names = names;
    this.admission = new WriteAdmission(steps, codec);
    this.timestamps = timestamps;
  }

  /**
   * Checks that an object could be created in its namespace. In kube-apiserver, the admission of a
   * PUT says so before the object is looked for.
   *
   * @throws ApiException of reason NotFound if the namespace is missing, Forbidden if it is being
   *     deleted
   */
  public void checkNamespace(Collection collection, String name) {
    if (collection.definition().namespaced()) {
      // nothing is created, so no namespace is provided
      namespaces.checkCreate(collection, name, /* dryRun= */ true);
    }
  }

  /** Creates {@code sent}, which is in the version of the collection. */
  public StoredObject create(Collection collection, ApiObject sent, WriteOptions options) {
    return create(collection, sent, steps.fields(), options);
  }

  /** Creates {@code sent} with its own field manager. */
  public StoredObject create(
      Collection collection, ApiObject sent, FieldManager fields, WriteOptions options) {
    ResourceDefinition definition = collection.definition();
    StoredType type = collection.type();
    types.checkCreate(definition);
    if (definition.namespaced()) {
      namespaces.checkCreate(collection, sent.meta().name(), options.dryRun());
    }
    ApiObject complete = complete(collection, sent);
    PendingOwnership ownership =
        PendingOwnership.of(
            complete,
            object -> fields.recordCreate(definition, prepared(definition, type, object), options));
    ApiObject bare = PendingOwnership.without(complete);
    AdmissionAttributes call =
        admission.attributes(Verb.CREATE, collection, "", bare.meta().name(), bare, null, options);
    ApiObject admitted =
        WriteAdmission.inNamespace(collection, admission.mutate(call, bare, ownership, options));
    boolean generated =
        admitted.meta().name().isEmpty() && !admitted.meta().generateName().isEmpty();
    for (int attempt = 1; ; attempt++) {
      Reservation reserved = beforeCreate(collection, admitted, call, ownership, options);
      ApiObject object = steps.strategies().of(type).canonical(reserved.object());
      String name = object.meta().name();
      StoredForm form = new StoredForm(codec, definition, type, object);
      // an apply has recorded its own managers
      boolean applies = fields == FieldManager.NONE;
      WriteOutcome outcome =
          Reservations.settled(
              reserved,
              () ->
                  form.write(
                      applies,
                      value -> write(collection, sent.meta(), name, value, call, options)));
      switch (outcome) {
        case WriteOutcome.Applied applied -> {
          types.checkCreated(collection, name, applied.revision());
          return form.at(applied.revision());
        }
        case WriteOutcome.Conflict _, WriteOutcome.Missing _, WriteOutcome.Guarded _ -> {
          if (!generated || attempt == NAME_ATTEMPTS) {
            throw taken(collection, object.meta(), outcome);
          }
        }
      }
    }
  }

  private WriteOutcome write(
      Collection collection,
      ObjectMeta sent,
      String name,
      Bytes value,
      AdmissionAttributes call,
      WriteOptions options) {
    if (!options.dryRun()) {
      checkVersion(sent);
      return FencedWrite.store(
          store,
          collection.type(),
          call.request().fence(),
          guard -> store.create(collection.type(), collection.namespace(), name, value, guard));
    }
    Entry existing = store.get(collection.type(), collection.namespace(), name).entry();
    return existing == null ? new WriteOutcome.Applied(0) : new WriteOutcome.Conflict(existing);
  }

  /**
   * Rejects a resourceVersion last, as kube-apiserver's store does; what is no number, or 0, does
   * not count.
   */
  private static void checkVersion(ObjectMeta sent) {
    String version = sent.resourceVersion();
    boolean number = !version.isEmpty() && version.chars().allMatch(c -> c >= '0' && c <= '9');
    if (number && version.chars().anyMatch(c -> c != '0')) {
      throw new ApiException(
          Reason.UNKNOWN, "resourceVersion should not be set on objects to be created");
    }
  }

  /** The object as it was sent, with its defaults, in the stored version. */
  private ApiObject complete(Collection collection, ApiObject sent) {
    ResourceDefinition definition = collection.definition();
    ObjectMeta meta =
        sent.meta()
            .withText("namespace", collection.namespace())
            .without("uid")
            .without("creationTimestamp")
            .without("selfLink")
            .without("resourceVersion")
            .without("deletionTimestamp")
            .without("deletionGracePeriodSeconds");
    return codec.convert(
        steps.defaulting().complete(definition, sent.withMeta(meta)),
        definition.gvk(),
        collection.type().kind());
  }

  /** Without what a create does not set. */
  private ApiObject prepared(ResourceDefinition definition, StoredType type, ApiObject object) {
    ApiObject kept =
        definition.subresources().containsKey("status") && !definition.behaviour().statusOnCreate()
            ? object.without("status")
            : object;
    return disabled.dropDisabledFields(type.schema(), kept, null);
  }

  /** Completes and validates the object in the stored version. */
  private Reservation beforeCreate(
      Collection collection,
      ApiObject admitted,
      AdmissionAttributes call,
      PendingOwnership ownership,
      WriteOptions options) {
    ResourceDefinition definition = collection.definition();
    StoredType type = collection.type();
    KindStrategy strategy = steps.strategies().of(type);
    ObjectMeta meta = admitted.meta();
    if (meta.name().isEmpty() && !meta.generateName().isEmpty()) {
      meta = meta.withText("name", names.generate(meta.generateName()));
    }
    meta =
        meta.with("uid", Node.text(UUID.randomUUID().toString()))
            .with("creationTimestamp", Node.text(timestamps.now()))
            .without("selfLink")
            .without("resourceVersion")
            .without("deletionTimestamp")
            .without("deletionGracePeriodSeconds")
            .withGeneration(definition.behaviour().generation() ? 1 : meta.generation());
    ApiObject object = prepared(definition, type, admitted.withMeta(meta));
    object = strategy.prepareForCreate(object, options.user(), options.warnings());
    return Reservations.checked(
        strategy.reserve(object, null, options.dryRun()),
        reserved -> checked(definition, strategy, reserved, call, ownership, options));
  }

  /** The object with its {@code managedFields}, which only an object that is valid needs. */
  private ApiObject checked(
      ResourceDefinition definition,
      KindStrategy strategy,
      ApiObject object,
      AdmissionAttributes call,
      PendingOwnership ownership,
      WriteOptions options) {
    List<FieldCause> causes =
        new ArrayList<>(
            ObjectMetaValidation.validate(object.meta(), definition.behaviour().nameRule()));
    ObjectMetaValidation.validateFinalizers(definition, object.meta(), causes);
    causes.addAll(strategy.validate(object));
    List<String> warnings = new ArrayList<>();
    ObjectMetaValidation.warnOfFinalizers(definition, object.meta(), null, warnings::add);
    causes.addAll(steps.rules().validateCreate(definition, object, warnings::add));
    if (!causes.isEmpty()) {
      throw ApiException.invalid(definition.gvk(), object.meta().name(), causes);
    }
    ApiObject whole = ownership.completed(object);
    ObjectMetaValidation.checkManagers(definition, whole.meta());
    // warnings are for accepted objects only
    warnings.forEach(options.warnings());
    admission.validate(call.named(whole), options);
    return whole;
  }

  /**
   * The error of a name that is taken. As in kube-apiserver, it tells whether the object that has
   * the name is being deleted, and {@code generateName} counts beside a name that the client chose.
   */
  private ApiException taken(Collection collection, ObjectMeta meta, WriteOutcome outcome) {
    GroupResource resource = collection.definition().groupResource();
    String name = meta.name();
    boolean generates = !meta.generateName().isEmpty();
    ErrorDetails details = ErrorDetails.of(resource, name);
    return new ApiException(
        Reason.ALREADY_EXISTS,
        (isDeleting(collection, outcome) ? "object is being deleted: " : "")
            + resource
            + " \""
            + name
            + "\" already exists"
            + (generates
                ? ", the server was not able to generate a unique name for the object"
                : ""),
        generates ? details.withRetryAfterSeconds(1) : details,
        null);
  }

  private boolean isDeleting(Collection collection, WriteOutcome outcome) {
    return outcome instanceof WriteOutcome.Conflict conflict
        && codec.decode(collection.type(), conflict.current().value()).meta().deleting();
  }
}
