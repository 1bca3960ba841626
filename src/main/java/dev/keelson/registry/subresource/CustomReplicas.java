package dev.keelson.registry.subresource;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.object.ApiObject;
import dev.keelson.object.NestedField;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.CustomResourceVersion;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.value.GoQuote;
import java.util.List;

/**
 * The numbers of a custom resource, at the paths that the definition declares for a version
 * (source: apiextensions-apiserver's registry/customresource).
 *
 * @param spec the path of the desired number
 * @param current the path of the number in the status
 * @param selector the path of the selector, or empty
 */
record CustomReplicas(String spec, String current, String selector) implements ReplicaFields {

  /** Stands for an absent number in a Scale that is patched. */
  private static final long UNSET = Integer.MIN_VALUE;

  static CustomReplicas of(CustomResourceVersion version) {
    MapNode scale = version.declaration().map("subresources").map("scale");
    return new CustomReplicas(
        scale.text("specReplicasPath"),
        scale.text("statusReplicasPath"),
        scale.text("labelSelectorPath"));
  }

  @Override
  public void checkPresent(ApiObject workload) {
    if (integer(workload, spec, UNSET) == UNSET) {
      throw ApiException.badRequest(
          "the spec replicas field " + GoQuote.quote(spec) + " does not exist");
    }
  }

  @Override
  public void checkApplicable(MapNode scale) {
    // the names are those of the configuration, not of the request
    MapNode metadata = scale.map("metadata");
    throw ApiException.badRequest(
        "failed to create typed patch object ("
            + metadata.text("namespace")
            + "/"
            + metadata.text("name")
            + "; autoscaling/v1, Kind=Scale): no corresponding type for autoscaling/v1,"
            + " Kind=Scale");
  }

  @Override
  public long replicas(ApiObject workload) {
    return (int) integer(workload, spec, UNSET);
  }

  @Override
  public ApiObject withReplicas(ApiObject workload, long replicas) {
    if (replicas == UNSET) {
      throw ApiException.badRequest(
          "the spec replicas field " + GoQuote.quote(spec) + " cannot be empty");
    }
    return new ApiObject(workload.root().withAt(NestedField.names(spec), new Node.Int(replicas)));
  }

  @Override
  public MapNode status(ResourceDefinition scale, ApiObject workload) {
    MapNode status =
        MapNode.of("replicas", new Node.Int((int) integer(workload, current, /* absent= */ 0)));
    if (selector.isEmpty()) {
      return status;
    }
    NestedField found = NestedField.of(workload.root(), selector);
    check(found.problemAsText());
    return found.value() instanceof Node.Text text && !text.value().isEmpty()
        ? status.with("selector", text)
        : status;
  }

  @Override
  public boolean owns(ApiObject workload, MapNode entry) {
    if (!entry.text("apiVersion").equals(workload.apiVersion())) {
      return false;
    }
    MapNode fields = entry.map("fieldsV1");
    List<String> names = NestedField.names(spec);
    for (String name : names.subList(0, names.size() - 1)) {
      fields = fields.map("f:" + name);
    }
    return fields.has("f:" + names.getLast());
  }

  private static long integer(ApiObject workload, String path, long absent) {
    NestedField found = NestedField.of(workload.root(), path);
    check(found.problemAsInteger());
    return found.value() instanceof Node.Int number ? number.value() : absent;
  }

  private static void check(String problem) {
    if (!problem.isEmpty()) {
      throw new ApiException(Reason.INTERNAL_ERROR, problem);
    }
  }
}
