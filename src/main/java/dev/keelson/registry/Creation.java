package dev.keelson.registry;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.FieldCause;
import dev.keelson.api.Reason;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.ObjectMeta;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.WriteOutcome;
import dev.keelson.storage.object.ObjectStore;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Brings an object into being: completes its metadata, validates it, stores it. */
final class Creation {

  /** How often a generated name may collide before the client is told. */
  private static final int NAME_ATTEMPTS = 8;

  private final ObjectStore store;
  private final ObjectForms forms;
  private final Strategies strategies;
  private final NamespaceGate namespaces;
  private final ObjectNames names;
  private final Timestamps timestamps;

  Creation(
      ObjectStore store,
      ObjectForms forms,
      Strategies strategies,
      NamespaceGate namespaces,
      ObjectNames names,
      Timestamps timestamps) {
    this.store = store;
    this.forms = forms;
    this.strategies = strategies;
    this.namespaces = namespaces;
    this.names = names;
    this.timestamps = timestamps;
  }

  /** Creates {@code sent}, which is in the version of the collection. */
  StoredObject create(Collection collection, ApiObject sent, WriteMode mode) {
    ResourceDefinition definition = collection.definition();
    StoredType type = collection.type();
    checkSent(sent.meta());
    if (definition.namespaced()) {
      namespaces.checkCreate(collection, sent.meta().name());
    }
    boolean generated = sent.meta().name().isEmpty() && !sent.meta().generateName().isEmpty();
    for (int attempt = 1; ; attempt++) {
      ApiObject object = complete(collection, sent);
      String name = object.meta().name();
      Bytes value = forms.encode(type, object);
      WriteOutcome outcome = write(collection, name, value, mode);
      switch (outcome) {
        case WriteOutcome.Applied applied -> {
          return new StoredObject(definition, value, applied.revision(), object);
        }
        case WriteOutcome.Conflict _, WriteOutcome.Missing _ -> {
          if (!generated) {
            throw ApiException.alreadyExists(definition.groupResource(), name);
          }
          if (attempt == NAME_ATTEMPTS) {
            throw generatedNameTaken(definition, name);
          }
        }
      }
    }
  }

  private WriteOutcome write(Collection collection, String name, Bytes value, WriteMode mode) {
    return switch (mode) {
      case PERSIST -> store.create(collection.type(), collection.namespace(), name, value);
      case DRY_RUN -> {
        var existing = store.get(collection.type(), collection.namespace(), name).entry();
        yield existing == null ? new WriteOutcome.Applied(0) : new WriteOutcome.Conflict(existing);
      }
    };
  }

  /** What must be refused before a namespace or a name is even looked at. */
  private static void checkSent(ObjectMeta meta) {
    String version = meta.resourceVersion();
    if (!version.isEmpty() && !version.equals("0")) {
      throw new ApiException(
          Reason.UNKNOWN, "resourceVersion should not be set on objects to be created");
    }
  }

  /** The object in the stored version with everything that the server adds, valid. */
  private ApiObject complete(Collection collection, ApiObject sent) {
    ResourceDefinition definition = collection.definition();
    StoredType type = collection.type();
    KindStrategy strategy = strategies.of(type);
    ObjectMeta meta = sent.meta();
    if (meta.name().isEmpty() && !meta.generateName().isEmpty()) {
      meta = meta.withText("name", names.generate(meta.generateName()));
    }
    meta =
        meta.withText("namespace", collection.namespace())
            .with("uid", Node.text(UUID.randomUUID().toString()))
            .with("creationTimestamp", Node.text(timestamps.now()))
            .without("selfLink")
            .without("resourceVersion")
            .without("deletionTimestamp")
            .without("deletionGracePeriodSeconds")
            .withGeneration(definition.behaviour().generation() ? 1 : 0);
    ApiObject object = forms.convert(sent.withMeta(meta), definition.gvk(), type.kind());
    if (definition.subresources().containsKey("status") && !strategy.keepsStatusOnCreate()) {
      object = object.without("status");
    }
    object = strategy.prepareForCreate(object);
    List<FieldCause> causes =
        new ArrayList<>(MetadataRules.violations(object.meta(), definition.behaviour().nameRule()));
    causes.addAll(strategy.validate(object));
    if (!causes.isEmpty()) {
      throw ApiException.invalid(definition.gvk(), object.meta().name(), causes);
    }
    return object;
  }

  private static ApiException generatedNameTaken(ResourceDefinition definition, String name) {
    return new ApiException(
        Reason.ALREADY_EXISTS,
        definition.groupResource()
            + " \""
            + name
            + "\" already exists, the server was not able to generate a unique name for the object",
        ErrorDetails.of(definition.groupResource(), name).withRetryAfterSeconds(1),
        null);
  }
}
