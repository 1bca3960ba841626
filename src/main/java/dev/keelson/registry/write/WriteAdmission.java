package dev.keelson.registry.write;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.admission.AdmissionFence;
import dev.keelson.admission.AdmissionRequest;
import dev.keelson.admission.FieldOwnership;
import dev.keelson.api.ApiException;
import dev.keelson.api.GroupResource;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.registry.Collection;
import dev.keelson.registry.ObjectCodec;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.fieldmanager.FieldManager;
import dev.keelson.request.Spans;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.Subresource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The two phases of admission around a write. After the mutating one, duplicate owner references
 * are removed and {@code managedFields} that are invalid by then are restored, each with a warning
 * (source: kube-apiserver's handlers and its field manager's admission controller).
 */
public final class WriteAdmission {

  private static final String ENTRIES = "managedFields";

  /** The names of the spans; kube-apiserver has them for webhooks only. */
  private static final String MUTATING = "MutatingAdmission";

  private static final String VALIDATING = "ValidatingAdmission";

  private static final GroupResource NAMESPACES = new GroupResource("", "namespaces");
  private static final String INVALID =
      ".metadata.managedFields was in an invalid state after admission; this could be caused by an"
          + " outdated mutating admission controller; please fix your requests: ";

  private final Admission admission;
  private final FieldManager fields;
  private final ObjectCodec codec;

  /** The admission of {@code steps}. */
  public WriteAdmission(WriteSteps steps, ObjectCodec codec) {
    this.admission = steps.admission();
    this.fields = steps.fields();
    this.codec = codec;
  }

  /** The attributes of a write. */
  public AdmissionAttributes attributes(
      Verb operation,
      Collection collection,
      String subresource,
      String name,
      @Nullable ApiObject object,
      @Nullable ApiObject current,
      WriteOptions options) {
    return attributes(
        operation, collection, subresource, name, object, current, new AdmissionFence(), options);
  }

  /** The attributes of a write whose fence goes into {@code fence}. */
  AdmissionAttributes attributes(
      Verb operation,
      Collection collection,
      String subresource,
      String name,
      @Nullable ApiObject object,
      @Nullable ApiObject current,
      AdmissionFence fence,
      WriteOptions options) {
    ResourceDefinition definition = collection.definition();
    return new AdmissionAttributes(
        operation,
        definition,
        subresource,
        definition.groupResource().equals(NAMESPACES) ? name : collection.namespace(),
        name,
        object,
        current,
        new AdmissionRequest(
            options.user(),
            options.scope().verb(),
            options.dryRun(),
            options.scope().options(),
            options.warnings(),
            options.scope().annotations(),
            options.scope().deadline(),
            codec::convert,
            fence,
            FieldOwnership.NONE));
  }

  /** Runs the mutating phase for an object that has its {@code managedFields}, if any. */
  public ApiObject mutate(AdmissionAttributes call, ApiObject object, WriteOptions options) {
    return mutate(call, object, PendingOwnership.known(), options);
  }

  /** Runs the mutating phase of a create, an update or a connect. */
  ApiObject mutate(
      AdmissionAttributes call,
      ApiObject object,
      PendingOwnership ownership,
      WriteOptions options) {
    return DuplicateOwnerReferences.dedupAfterAdmission(
        options.scope().admitted() ? admitted(call, object, ownership, options) : object,
        options.warnings());
  }

  private ApiObject admitted(
      AdmissionAttributes call,
      ApiObject object,
      PendingOwnership ownership,
      WriteOptions options) {
    try (Spans.Open _ = Spans.open(MUTATING)) {
      return withFields(call, object, ownership, options);
    }
  }

  private ApiObject withFields(
      AdmissionAttributes call,
      ApiObject object,
      PendingOwnership ownership,
      WriteOptions options) {
    ApiObject admitted = admission.mutate(call.owning(ownership), object);
    if (admitted == object || !ownership.isShown()) {
      return admitted;
    }
    Node before = ownership.before(object).meta().node().get(ENTRIES);
    List<Node> after = admitted.meta().node().items(ENTRIES);
    if (before instanceof Node.Items items && items.values().equals(after)) {
      return admitted;
    }
    Optional<String> problem = fields.problem(after);
    if (problem.isEmpty()) {
      return admitted;
    }
    options.warnings().accept(INVALID + problem.get());
    return admitted.withMeta(
        before == null ? admitted.meta().without(ENTRIES) : admitted.meta().with(ENTRIES, before));
  }

  /**
   * Sets the namespace of the path, which neither the client nor mutating admission may change.
   *
   * @throws ApiException of reason BadRequest if {@code admitted} names another one
   */
  static ApiObject inNamespace(Collection collection, ApiObject admitted) {
    String own = admitted.meta().namespace();
    if (collection.definition().namespaced()
        && !own.isEmpty()
        && !own.equals(collection.namespace())) {
      throw ApiException.badRequest(
          "the namespace of the provided object does not match the namespace sent on the request");
    }
    return admitted.withMeta(admitted.meta().withText("namespace", collection.namespace()));
  }

  /** Runs the validating phase of a create, an update or a connect. */
  public void validate(AdmissionAttributes call, WriteOptions options) {
    if (options.scope().admitted()) {
      validated(call);
    }
  }

  private void validated(AdmissionAttributes call) {
    try (Spans.Open _ = Spans.open(VALIDATING)) {
      admission.validate(call);
    }
  }

  /**
   * Runs both phases for an object that is not stored. What is created is in the namespace of the
   * path from the start, as in kube-apiserver.
   *
   * @param operation CREATE or CONNECT
   * @return what mutating admission has made of it
   * @throws ApiException if a plugin rejects the request; of reason BadRequest if the object is of
   *     another namespace
   */
  public ApiObject unstored(
      Verb operation,
      Collection collection,
      String subresource,
      String name,
      ApiObject object,
      WriteOptions options) {
    ApiObject placed =
        operation == Verb.CREATE && hasMetadata(collection.definition(), subresource)
            ? inNamespace(collection, object)
            : object;
    AdmissionAttributes call =
        attributes(operation, collection, subresource, name, placed, null, options);
    ApiObject admitted = mutate(call, placed, options);
    validate(call.named(admitted), options);
    return admitted;
  }

  /** Whether what is created has metadata: a DeploymentRollback has none. */
  private static boolean hasMetadata(ResourceDefinition definition, String subresource) {
    Subresource part = definition.subresources().get(subresource);
    StructSchema schema = part == null ? definition.schema() : part.schema();
    return schema.field("metadata") != null;
  }

  /** Runs both phases of a delete. */
  public void delete(AdmissionAttributes call, WriteOptions options) {
    if (options.scope().admitted()) {
      try (Spans.Open _ = Spans.open(MUTATING)) {
        admission.mutateDelete(call);
      }
      validated(call);
    }
  }
}
