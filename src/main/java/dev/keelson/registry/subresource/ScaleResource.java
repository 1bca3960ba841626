package dev.keelson.registry.subresource;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldCause;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import dev.keelson.registry.Collection;
import dev.keelson.registry.ObjectCodec;
import dev.keelson.registry.ObjectPatch;
import dev.keelson.registry.Preconditions;
import dev.keelson.registry.StoredObject;
import dev.keelson.registry.SubresourceDefinition;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.fieldmanager.ApplyPatch;
import dev.keelson.registry.generic.GenericRegistry;
import dev.keelson.registry.write.AdmittedView;
import dev.keelson.registry.write.ObjectPart;
import dev.keelson.registry.write.UpdateFunction;
import dev.keelson.registry.write.Written;
import dev.keelson.schema.CustomResourceVersion;
import dev.keelson.schema.ResourceDefinition;
import java.util.ArrayList;
import java.util.List;

/**
 * The number of replicas of a workload as an object of its own, the same for every kind of
 * workload. It is not stored: it is computed from the workload and written to it. Of a custom
 * resource it is computed in the version that is asked for, whose definition says where the numbers
 * are.
 */
public final class ScaleResource {

  private static final String ENTRIES = "managedFields";
  private static final MapNode REPLICAS =
      MapNode.of("f:spec", MapNode.of("f:replicas", MapNode.EMPTY));

  private final GenericRegistry registry;
  private final ObjectCodec codec;

  public ScaleResource(GenericRegistry registry, ObjectCodec codec) {
    this.registry = registry;
    this.codec = codec;
  }

  /**
   * Reads the Scale of a workload.
   *
   * @throws ApiException of reason NotFound, or BadRequest if a custom resource has no number of
   *     replicas
   */
  public StoredObject get(Collection workloads, String name) {
    StoredObject workload = registry.get(workloads, name);
    ReplicaFields fields = fieldsOf(workloads.definition());
    fields.checkPresent(registry.stored(workload));
    return scale(workloads, workload);
  }

  /**
   * Sets the number of replicas from a Scale.
   *
   * @throws ApiException of reason NotFound, Conflict, Invalid or BadRequest
   */
  public StoredObject replace(
      Collection workloads, String name, ApiObject scale, WriteOptions options) {
    return patch(workloads, name, current -> scale, options).object();
  }

  /**
   * Sets the number of replicas from the patched Scale.
   *
   * @throws ApiException of reason NotFound, Conflict, Invalid or BadRequest
   */
  public Written patch(Collection workloads, String name, ObjectPatch patch, WriteOptions options) {
    ResourceDefinition definition = SubresourceDefinition.of(workloads.definition(), "scale");
    ReplicaFields fields = fieldsOf(workloads.definition());
    if (patch instanceof ApplyPatch apply) {
      fields.checkApplicable(apply.root());
      StoredObject changed =
          registry.edit(
              workloads,
              name,
              ObjectPart.SCALE,
              new AppliedScale(workloads, name, apply.onWorkload(workloads.definition())),
              options);
      return new Written(scale(workloads, changed), false);
    }
    UpdateFunction edit =
        new UpdateFunction() {
          @Override
          public ApiObject apply(ApiObject current) {
            ApiObject scale =
                codec.canonical(patch.apply(tree(fields, definition, current)), definition);
            check(workloads, name, scale, current.meta());
            return scaled(fields, current, scale);
          }

          @Override
          public AdmittedView view() {
            return new ScaleView(workloads, name);
          }
        };
    StoredObject changed = registry.edit(workloads, name, ObjectPart.SCALE, edit, options);
    return new Written(scale(workloads, changed), false);
  }

  private static ReplicaFields fieldsOf(ResourceDefinition workload) {
    CustomResourceVersion custom = workload.custom();
    return custom == null ? WorkloadReplicas.BUILT_IN : CustomReplicas.of(custom);
  }

  /** Sets the number of replicas and its managers. */
  private final class AppliedScale implements UpdateFunction {
    private final Collection workloads;
    private final String name;
    private final ApplyPatch patch;

    AppliedScale(Collection workloads, String name, ApplyPatch patch) {
      this.workloads = workloads;
      this.name = name;
      this.patch = patch;
    }

    @Override
    public ApiObject apply(ApiObject current) {
      ResourceDefinition workload = workloads.definition();
      GroupVersionKind stored = workloads.type().kind();
      ApiObject applied = patch.apply(codec.convert(current, stored, workload.gvk()));
      ApiObject wanted = codec.convert(applied, workload.gvk(), stored);
      ResourceDefinition definition = SubresourceDefinition.of(workload, "scale");
      check(workloads, name, tree(fieldsOf(workload), definition, wanted), current.meta());
      return wanted;
    }

    @Override
    public boolean recordsFields() {
      return true;
    }

    @Override
    public AdmittedView view() {
      return new ScaleView(workloads, name);
    }
  }

  /** Shows admission the Scale, of which it may change the number of replicas. */
  private final class ScaleView implements AdmittedView {
    private final Collection workloads;
    private final String name;
    private final ReplicaFields fields;
    private final ResourceDefinition definition;

    ScaleView(Collection workloads, String name) {
      this.workloads = workloads;
      this.name = name;
      this.fields = fieldsOf(workloads.definition());
      this.definition = SubresourceDefinition.of(workloads.definition(), "scale");
    }

    @Override
    public ApiObject of(ApiObject workload) {
      return tree(fields, definition, workload);
    }

    @Override
    public ApiObject applied(ApiObject workload, ApiObject admitted) {
      check(workloads, name, admitted, workload.meta());
      return fields.withReplicas(workload, replicas(admitted));
    }
  }

  private static void check(
      Collection workloads, String name, ApiObject scale, ObjectMeta workload) {
    ObjectMeta meta = scale.meta();
    if (meta.name().isEmpty()) {
      throw ApiException.badRequest(
          "the name of the object ("
              + name
              + " based on URL) was undeterminable: name must be provided");
    }
    if (!meta.name().equals(name)) {
      throw ApiException.badRequest(
          "the name of the object ("
              + meta.name()
              + ") does not match the name on the URL ("
              + name
              + ")");
    }
    if (!meta.namespace().isEmpty() && !meta.namespace().equals(workloads.namespace())) {
      throw ApiException.badRequest(
          "the namespace of the object ("
              + meta.namespace()
              + ") does not match the namespace on the request ("
              + workloads.namespace()
              + ")");
    }
    long replicas = replicas(scale);
    // those of a custom resource are validated as a part of it
    if (replicas < 0 && workloads.definition().custom() == null) {
      throw ApiException.invalid(
          SubresourceDefinition.of(workloads.definition(), "scale").gvk(),
          name,
          List.of(
              FieldCause.invalid("spec.replicas", replicas, "must be greater than or equal to 0")));
    }
    Preconditions.checkUid(workloads, name, meta.uid(), workload.uid());
  }

  private static ApiObject scaled(ReplicaFields fields, ApiObject workload, ApiObject scale) {
    String version = scale.meta().resourceVersion();
    ApiObject scaled = fields.withReplicas(workload, replicas(scale));
    // without one the Scale means whatever state the workload has
    return version.isEmpty()
        ? scaled
        : scaled.withMeta(scaled.meta().withText("resourceVersion", version));
  }

  private StoredObject scale(Collection workloads, StoredObject workload) {
    ResourceDefinition definition = SubresourceDefinition.of(workloads.definition(), "scale");
    ApiObject scale = tree(fieldsOf(workloads.definition()), definition, registry.stored(workload));
    // managed fields serve patches only; responses leave them out
    ApiObject bare = scale.withMeta(scale.meta().without("resourceVersion").without(ENTRIES));
    return new StoredObject(
        definition,
        codec.encode(Collection.storedType(definition), bare),
        workload.revision(),
        bare);
  }

  private ApiObject tree(ReplicaFields fields, ResourceDefinition definition, ApiObject workload) {
    MapNode metadata = MapNode.EMPTY;
    for (String field :
        List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp")) {
      Node value = workload.meta().node().get(field);
      metadata = value == null ? metadata : metadata.with(field, value);
    }
    Node.Items entries = replicasEntries(fields, definition, workload);
    metadata = entries.values().isEmpty() ? metadata : metadata.with(ENTRIES, entries);
    MapNode.Builder root = MapNode.builder(5);
    root.put("kind", Node.text(definition.kind()))
        .put("apiVersion", Node.text(definition.gvk().apiVersion()))
        .put("metadata", metadata)
        .put("spec", MapNode.of("replicas", new Node.Int(fields.replicas(workload))))
        .put("status", fields.status(definition, workload));
    return codec.canonical(new ApiObject(root.build()), definition);
  }

  /**
   * The workload's managers that own the number of replicas, as managers of the Scale (source:
   * Kubernetes' ScaleHandler).
   */
  private static Node.Items replicasEntries(
      ReplicaFields fields, ResourceDefinition definition, ApiObject workload) {
    List<Node> kept = new ArrayList<>();
    for (Node item : workload.meta().node().items(ENTRIES)) {
      if (item instanceof MapNode entry && fields.owns(workload, entry)) {
        kept.add(
            entry
                .with("apiVersion", Node.text(definition.gvk().apiVersion()))
                .with("fieldsV1", REPLICAS));
      }
    }
    return new Node.Items(kept);
  }

  private static long replicas(ApiObject scale) {
    return scale.root().map("spec").get("replicas") instanceof Node.Int number ? number.value() : 0;
  }
}
