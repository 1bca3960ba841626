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
import dev.keelson.registry.StoredObject;
import dev.keelson.registry.SubresourceDefinition;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.fieldmanager.ApplyPatch;
import dev.keelson.registry.generic.GenericRegistry;
import dev.keelson.registry.write.ObjectPart;
import dev.keelson.registry.write.UpdateFunction;
import dev.keelson.registry.write.Written;
import dev.keelson.schema.ResourceDefinition;
import java.util.ArrayList;
import java.util.List;

/**
 * The number of replicas of a workload as an object of its own, the same for every kind of
 * workload. It is not stored: it is computed from the workload and written to it.
 */
public final class ScaleResource {

  private static final String AUTOSCALING = "autoscaling";
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
   * @throws ApiException of reason NotFound
   */
  public StoredObject get(Collection workloads, String name) {
    return scale(workloads, registry.get(workloads, name));
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
    if (patch instanceof ApplyPatch apply) {
      StoredObject changed =
          registry.edit(
              workloads,
              name,
              ObjectPart.SCALE,
              new AppliedScale(workloads, name, apply.onWorkload(workloads.definition())),
              options);
      return new Written(scale(workloads, changed), false);
    }
    StoredObject changed =
        registry.edit(
            workloads,
            name,
            ObjectPart.SCALE,
            current -> {
              ApiObject scale = codec.canonical(patch.apply(tree(definition, current)), definition);
              check(workloads, name, scale, current.meta());
              return scaled(current, scale);
            },
            options);
    return new Written(scale(workloads, changed), false);
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
      check(workloads, name, tree(definition, wanted), current.meta());
      return wanted;
    }

    @Override
    public boolean recordsFields() {
      return true;
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
    long replicas = replicas(scale.root().map("spec"));
    if (replicas < 0) {
      throw ApiException.invalid(
          SubresourceDefinition.of(workloads.definition(), "scale").gvk(),
          name,
          List.of(
              FieldCause.invalid("spec.replicas", replicas, "must be greater than or equal to 0")));
    }
    if (!meta.uid().isEmpty() && !meta.uid().equals(workload.uid())) {
      throw ApiException.conflict(
          workloads.definition().groupResource(),
          name,
          "Precondition failed: UID in precondition: "
              + meta.uid()
              + ", UID in object meta: "
              + workload.uid());
    }
  }

  private static ApiObject scaled(ApiObject workload, ApiObject scale) {
    MapNode spec = workload.root().map("spec");
    return workload
        .with("spec", spec.with("replicas", new Node.Int(replicas(scale.root().map("spec")))))
        .withMeta(workload.meta().withText("resourceVersion", scale.meta().resourceVersion()));
  }

  private StoredObject scale(Collection workloads, StoredObject workload) {
    ResourceDefinition definition = SubresourceDefinition.of(workloads.definition(), "scale");
    ApiObject scale = tree(definition, registry.stored(workload));
    // managed fields serve patches only; responses leave them out
    ApiObject bare = scale.withMeta(scale.meta().without("resourceVersion").without(ENTRIES));
    return new StoredObject(
        definition,
        codec.encode(Collection.storedType(definition), bare),
        workload.revision(),
        bare);
  }

  private ApiObject tree(ResourceDefinition definition, ApiObject workload) {
    MapNode metadata = MapNode.EMPTY;
    for (String field :
        List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp")) {
      Node value = workload.meta().node().get(field);
      metadata = value == null ? metadata : metadata.with(field, value);
    }
    Node.Items entries = replicasEntries(definition, workload.meta().node().items(ENTRIES));
    metadata = entries.values().isEmpty() ? metadata : metadata.with(ENTRIES, entries);
    MapNode spec = workload.root().map("spec");
    MapNode.Builder root = MapNode.builder(5);
    root.put("kind", Node.text(definition.kind()))
        .put("apiVersion", Node.text(definition.gvk().apiVersion()))
        .put("metadata", metadata)
        .put("spec", MapNode.of("replicas", new Node.Int(replicas(spec))))
        .put("status", status(definition, workload));
    return codec.canonical(new ApiObject(root.build()), definition);
  }

  /**
   * The workload's managers that own the number of replicas, as managers of the Scale (source:
   * Kubernetes' ScaleHandler). In both the field has the same path.
   */
  private static Node.Items replicasEntries(ResourceDefinition definition, List<Node> entries) {
    List<Node> kept = new ArrayList<>();
    for (Node item : entries) {
      if (item instanceof MapNode entry && entry.map("fieldsV1").map("f:spec").has("f:replicas")) {
        kept.add(
            entry
                .with("apiVersion", Node.text(definition.gvk().apiVersion()))
                .with("fieldsV1", REPLICAS));
      }
    }
    return new Node.Items(kept);
  }

  private static MapNode status(ResourceDefinition definition, ApiObject workload) {
    MapNode selector = workload.root().map("spec").map("selector");
    // its selector is a map of labels, not a LabelSelector
    boolean labels =
        workload.kind().equals("ReplicationController") && workload.apiVersion().equals("v1");
    String text =
        labels ? ObjectSelector.ofLabels(selector) : ObjectSelector.text(selector).orElse("");
    MapNode status = MapNode.of("replicas", new Node.Int(replicas(workload.root().map("status"))));
    if (definition.gvk().group().equals(AUTOSCALING)) {
      return text.isEmpty() ? status : status.with("selector", Node.text(text));
    }
    MapNode plain = selector.map("matchLabels");
    if (selector.items("matchExpressions").isEmpty() && !plain.isEmpty()) {
      status = status.with("selector", plain);
    }
    return text.isEmpty() ? status : status.with("targetSelector", Node.text(text));
  }

  private static long replicas(MapNode node) {
    return node.get("replicas") instanceof Node.Int number ? number.value() : 0;
  }
}
